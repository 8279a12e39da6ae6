#include "lvmd/mounts/mounter/lock.hpp"

#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "lvmd/base/reason.hpp"

namespace lvmd::mounts::mounter {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 10s;
constexpr auto kInterval = 50ms;

}  // namespace

Status lock(int fd, std::string_view what) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return fail_errno(errno, "flock");
    if (std::chrono::steady_clock::now() >= end)
      return fail(Code::kAborted,
                  "another mount of {} has been running for more than {} s: try again", what,
                  kPatience.count())
          .because(reason::kMountUnderWay);
    std::this_thread::sleep_for(kInterval);
  }
  return {};
}

}  // namespace lvmd::mounts::mounter
