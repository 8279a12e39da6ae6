// Places in lvmd where a process is held up, to be looked at or killed (lvmd/base/failpoint.hpp).
#pragma once

#include <string>

namespace lvmd::system_tests {

inline constexpr const char* kFailpoint = "/run/lvmd.failpoint";

// Whoever comes to this place waits there as long as the object lives.
class Failpoint {
 public:
  explicit Failpoint(const std::string& name);
  Failpoint(const Failpoint&) = delete;
  Failpoint& operator=(const Failpoint&) = delete;
  ~Failpoint();
};

// A thread of the process waits at the failpoint.
[[nodiscard]] bool waits_at(int pid, const std::string& failpoint);

}  // namespace lvmd::system_tests
