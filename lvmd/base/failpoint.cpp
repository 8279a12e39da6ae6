#include "lvmd/base/failpoint.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>
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
  std::string line;
  if (!std::getline(file, line) || line != name) return false;
  const std::string self = std::to_string(::getpid());
  while (std::getline(file, line))
    if (line == self) return false;
  return true;
}

}  // namespace

void failpoint(std::string_view name) {
  if (!is_named(name)) return;
  std::array<char, 16> before{};
  ::prctl(PR_GET_NAME, before.data(), 0, 0, 0);
  ::prctl(PR_SET_NAME, std::string{name}.c_str(), 0, 0, 0);
  while (is_named(name)) std::this_thread::sleep_for(std::chrono::milliseconds{10});
  ::prctl(PR_SET_NAME, before.data(), 0, 0, 0);
}

}  // namespace lvmd
