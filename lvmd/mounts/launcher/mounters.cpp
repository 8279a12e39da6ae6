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
  internal::MountJob versioned = job;
  versioned.set_version(std::string{ipc::version()});
  while (!waiting_.empty()) {
    supervisor::Child child = std::move(waiting_.back());
    waiting_.pop_back();
    running_.push_back(child.pid);
    if (child.control.send(versioned)) return std::move(child.control);
    // Something has killed it: reap() logs that. Another one takes its place.
  }
  auto child = spawn();
  if (!child) return std::unexpected(child.error());
  running_.push_back(child->pid);
  if (auto sent = child->control.send(versioned); !sent) return std::unexpected(sent.error());
  return std::move(child->control);
}

void Mounters::refill() {
  while (waiting_.size() < kWaitingMounters) {
    auto child = spawn();
    if (!child) {
      log::warning(fmt::format("no mounter is started ahead: {}", child.error().message));
      return;
    }
    waiting_.push_back(std::move(*child));
  }
}

void Mounters::stop_waiting() {
  for (const supervisor::Child& child : waiting_) running_.push_back(child.pid);
  waiting_.clear();
}

void Mounters::reap() {
  const auto has_ended = [](pid_t pid) {
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) != pid) return false;
    if (status != 0)
      log::warning(
          WIFSIGNALED(status)
              ? fmt::format("lvmd-mounter (pid {}) was killed by signal {}", pid, WTERMSIG(status))
              : fmt::format("lvmd-mounter (pid {}) ended with exit code {}", pid,
                            WEXITSTATUS(status)));
    return true;
  };
  std::erase_if(running_, has_ended);
  std::erase_if(waiting_, [&](const supervisor::Child& child) { return has_ended(child.pid); });
}

Result<supervisor::Child> Mounters::spawn() const {
  return supervisor::spawn({.file = program_, .arguments = {}, .confine = [] {
                              return supervisor::confine(supervisor::kMounterRights);
                            }});
}

}  // namespace lvmd::mounts
