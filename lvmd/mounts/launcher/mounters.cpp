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
  if (waiting_) {
    supervisor::Child child = std::move(*waiting_);
    waiting_.reset();
    running_.push_back(child.pid);
    if (child.control.send(versioned)) return std::move(child.control);
    // Something has killed it: reap() logs that. A new one takes its place.
  }
  auto child = spawn();
  if (!child) return std::unexpected(child.error());
  running_.push_back(child->pid);
  if (auto sent = child->control.send(versioned); !sent) return std::unexpected(sent.error());
  return std::move(child->control);
}

void Mounters::keep_one_waiting() {
  if (waiting_) return;
  auto child = spawn();
  if (child)
    waiting_ = std::move(*child);
  else
    log::warning(fmt::format("no mounter is started ahead: {}", child.error().message));
}

void Mounters::stop_waiting() {
  if (!waiting_) return;
  running_.push_back(waiting_->pid);
  waiting_.reset();
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
  if (waiting_ && has_ended(waiting_->pid)) waiting_.reset();
}

Result<supervisor::Child> Mounters::spawn() const {
  return supervisor::spawn({.file = program_, .arguments = {}, .confine = [] {
                              return supervisor::confine(supervisor::kMounterRights);
                            }});
}

}  // namespace lvmd::mounts
