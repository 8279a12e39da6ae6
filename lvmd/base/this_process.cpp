#include "lvmd/base/this_process.hpp"

#include <sys/prctl.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <csignal>

namespace lvmd {
namespace {

sigset_t set_of(std::initializer_list<int> signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : signals) sigaddset(&set, number);
  return set;
}

}  // namespace

void name_process(const char* name) {
  // Cannot fail: the kernel truncates a long name.
  ::prctl(PR_SET_NAME, name, 0, 0, 0);
}

Status block_signals(std::initializer_list<int> signals) {
  const sigset_t set = set_of(signals);
  if (::sigprocmask(SIG_BLOCK, &set, nullptr) != 0) return fail_errno(errno, "sigprocmask");
  return {};
}

Result<UniqueFd> watch_signals(std::initializer_list<int> signals) {
  if (auto blocked = block_signals(signals); !blocked) return std::unexpected(blocked.error());
  const sigset_t set = set_of(signals);
  UniqueFd fd{::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)};
  if (!fd) return fail_errno(errno, "signalfd");
  return fd;
}

}  // namespace lvmd
