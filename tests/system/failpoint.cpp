#include "tests/system/failpoint.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace lvmd::system_tests {

namespace fs = std::filesystem;

Failpoint::Failpoint(const std::string& name) {
  std::ofstream{kFailpoint} << name << "\n";
  // The server is not root, and LVM's library, used by other cases, leaves a umask of its own.
  fs::permissions(kFailpoint, fs::perms{0644});
}

Failpoint::~Failpoint() {
  std::error_code ignored;
  fs::remove(kFailpoint, ignored);
}

bool waits_at(int pid, const std::string& failpoint) {
  std::error_code error;
  for (const auto& task : fs::directory_iterator{fmt::format("/proc/{}/task", pid), error}) {
    std::ifstream comm{task.path() / "comm"};
    std::string name;
    if (std::getline(comm, name) && name == failpoint) return true;
  }
  return false;
}

}  // namespace lvmd::system_tests
