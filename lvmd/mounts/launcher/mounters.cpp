#include "lvmd/mounts/launcher/mounters.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/supervisor/child.hpp"
#include "lvmd/supervisor/sandbox.hpp"

namespace lvmd::mounts {

Result<ipc::Channel> Mounters::start(const internal::MountJob& job) {
  if (running_.size() >= kMaxMounters)
    return fail(Code::kUnavailable,
                "{} mounts are under way, which is the limit: try again when one has ended",
                running_.size())
        .because(reason::kTooManyMounters)
        .with(key::kLimit, kMaxMounters);
  auto child = supervisor::spawn({.file = program_, .arguments = {}, .confine = [] {
                                    return supervisor::confine(supervisor::kMounterRights);
                                  }});
  if (!child) return std::unexpected(child.error());
  running_.push_back(child->pid);
  internal::MountJob versioned = job;
  versioned.set_version(std::string{ipc::version()});
  if (auto sent = child->control.send(versioned); !sent) return std::unexpected(sent.error());
  return std::move(child->control);
}

void Mounters::reap() {
  std::erase_if(running_, [](pid_t pid) {
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) != pid) return false;
    if (status != 0)
      log::warning(
          WIFSIGNALED(status)
              ? fmt::format("lvmd-mounter (pid {}) was killed by signal {}", pid, WTERMSIG(status))
              : fmt::format("lvmd-mounter (pid {}) ended with exit code {}", pid,
                            WEXITSTATUS(status)));
    return true;
  });
}

}  // namespace lvmd::mounts
