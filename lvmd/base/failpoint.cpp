#include "lvmd/base/failpoint.hpp"

#include <sys/prctl.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace lvmd {
namespace {

#ifdef LVMD_FAILPOINTS
constexpr const char* kFile = "/run/lvmd.failpoint";
#else
constexpr const char* kFile = nullptr;
#endif

bool is_named(std::string_view name) {
  if (kFile == nullptr) return false;
  std::ifstream file{kFile};
  std::string named;
  return std::getline(file, named) && named == name;
}

}  // namespace

void failpoint(std::string_view name) {
  if (!is_named(name)) return;
  ::prctl(PR_SET_NAME, std::string{name}.c_str(), 0, 0, 0);
  while (is_named(name)) std::this_thread::sleep_for(std::chrono::milliseconds{10});
}

}  // namespace lvmd
