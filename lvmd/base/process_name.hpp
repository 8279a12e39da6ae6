// What ps(1) and pgrep(1) call this process.
#pragma once

namespace lvmd {

// Sets the calling thread's name, of which the kernel keeps 15 characters. Call it first in main: a
// program that is executed by its descriptor is called by that descriptor's number.
void name_process(const char* name);

}  // namespace lvmd
