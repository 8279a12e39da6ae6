#include "lvmd/mounts/launcher/module.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/model/kubelet_target.hpp"
#include "lvmd/mounts/launcher/mount_job.hpp"
#include "lvmd/mounts/launcher/mounters.hpp"

namespace lvmd::mounts {
namespace {

// Longer than the time from staging a volume to publishing it.
constexpr std::chrono::seconds kRefillDelay{1};

// Absent: lvmd is no CSI driver.
std::optional<model::KubeletRoot> kubelet_root(const config::Config& config) {
  if (!config.csi) return std::nullopt;
  return model::KubeletRoot{.path = config.csi->kubelet_root, .driver = config.csi->driver_name};
}

class SupervisorModule final : public supervisor::Module {
 public:
  SupervisorModule(const supervisor::ModuleContext& context, supervisor::Host& host,
                   supervisor::ProgramFile program)
      : host_(host),
        roots_(context.config.mount_roots),
        kubelet_(kubelet_root(context.config)),
        mounters_(std::move(program)) {
    reconfigure(context.config);
  }

  void reconfigure(const config::Config& config) override {
    volume_groups_ = config.volume_groups();
  }

  void add_setup(internal::ServerSetup& setup) const override {
    setup.mutable_mount_roots()->Assign(roots_.begin(), roots_.end());
  }

  bool handle(internal::ChildEvent& event) override {
    if (!event.has_start_mounter()) return false;
    const internal::StartMounter& request = event.start_mounter();
    const auto mounter = start(request.job());
    internal::ControlFrame frame;
    std::vector<int> fds;
    if (mounter) {
      frame.mutable_mounter_started()->set_number(request.number());
      fds.push_back(mounter->fd());
    } else {
      log::warning(fmt::format("no mounter is started: {}", mounter.error().message));
      frame.mutable_mounter_refused()->set_number(request.number());
      *frame.mutable_mounter_refused()->mutable_error() = ipc::to_proto(mounter.error());
    }
    // If the server has ended, no caller waits for the reply; the mounter finishes the job.
    host_.send_to_server(frame, fds);
    // Not at once, because starting processes would slow down this job and the next ones. A host
    // that never mounts keeps no mounter.
    if (mounter) refill_due_ = supervisor::Clock::now() + kRefillDelay;
    return true;
  }

  void stop() override {
    stopping_ = true;
    refill_due_.reset();
    mounters_.stop_waiting();
  }

  [[nodiscard]] std::optional<supervisor::Clock::time_point> next_due() const override {
    return refill_due_;
  }
  void process(supervisor::Clock::time_point now) override {
    if (!refill_due_ || now < *refill_due_) return;
    refill_due_.reset();
    mounters_.refill();
  }
  void reap() override { mounters_.reap(); }

 private:
  [[nodiscard]] Result<ipc::Channel> start(const internal::MountJob& job) {
    if (stopping_)
      return fail(Code::kUnavailable, "lvmd is stopping: try again when it is back")
          .because(reason::kStopping);
    const auto checked = checked_mount_job(
        job, {.roots = roots_, .volume_groups = volume_groups_, .kubelet = kubelet_});
    if (!checked) return std::unexpected(checked.error());
    return mounters_.start(*checked);
  }

  supervisor::Host& host_;
  const std::vector<std::string> roots_;
  std::vector<std::string> volume_groups_;
  const std::optional<model::KubeletRoot> kubelet_;
  Mounters mounters_;
  std::optional<supervisor::Clock::time_point> refill_due_;
  bool stopping_ = false;
};

}  // namespace

Result<std::unique_ptr<supervisor::Module>> make_supervisor_module(
    const supervisor::ModuleContext& context, supervisor::Host& host) {
  auto program = supervisor::ProgramFile::open(context.program_directory + "/lvmd-mounter");
  if (!program) return std::unexpected(program.error());
  return std::make_unique<SupervisorModule>(context, host, std::move(*program));
}

}  // namespace lvmd::mounts
