// Places where a test stops a process, to kill it there.
#pragma once

#include <string_view>

namespace lvmd {

// Returns at once, unless /run/lvmd.failpoint names this place (at most 15 characters): then the
// thread takes the name for its own (/proc/<pid>/task/<tid>/comm), so that it can be found, and
// waits until the file is gone or names another place. Does nothing in a build without tests.
void failpoint(std::string_view name);

}  // namespace lvmd
