#include "lvmd/base/process_name.hpp"

#include <sys/prctl.h>

namespace lvmd {

void name_process(const char* name) {
  // Cannot fail: the kernel truncates a long name.
  ::prctl(PR_SET_NAME, name, 0, 0, 0);
}

}  // namespace lvmd
