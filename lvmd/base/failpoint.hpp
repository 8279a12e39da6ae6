// Places in the code where a test can stop a process, for example to kill it there.
#pragma once

#include <string_view>

namespace lvmd {

// Blocks the thread as long as the first line of the file /run/lvmd.failpoint is `name` (at most 15
// characters) and no other line is the pid of this process. While it waits, the thread's name
// (/proc/<pid>/task/<tid>/comm) is `name`, so that a test can find it. Does nothing in a build
// without tests.
void failpoint(std::string_view name);

}  // namespace lvmd
