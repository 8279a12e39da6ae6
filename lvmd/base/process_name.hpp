// The name of this process in ps(1) and pgrep(1).
#pragma once

namespace lvmd {

// Sets the name of the calling thread; the kernel keeps 15 characters. Call it at the start of
// main: otherwise a program started with fexecve(3) is named after the descriptor's number.
void name_process(const char* name);

}  // namespace lvmd
