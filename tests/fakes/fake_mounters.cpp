#include "tests/fakes/fake_mounters.hpp"

#include <array>
#include <utility>

#include "lvmd/ipc/convert.hpp"

namespace lvmd::fakes {
namespace {

internal::MountedVolume mounted(const internal::VolumeDevice& device, const std::string& target) {
  internal::MountedVolume mount;
  mount.set_target(target);
  mount.set_volume_group(device.volume_group());
  mount.set_name(device.name());
  mount.set_major(device.major());
  mount.set_minor(device.minor());
  mount.set_fs_type("ext4");
  mount.add_options("rw");
  return mount;
}

}  // namespace

internal::MountReply FakeMounters::reply_to(const internal::MountJob& job) const {
  if (reply_) return *reply_;
  internal::MountReply reply;
  if (job.has_grow()) {
    reply.mutable_grown()->set_fs_type("ext4");
    reply.mutable_grown()->set_bytes_before(kFakeSize);
    reply.mutable_grown()->set_bytes_after(2 * kFakeSize);
    return reply;
  }
  if (job.has_usage()) {
    v1::GetUsageResponse& usage = *reply.mutable_usage();
    usage.set_volume_bytes(kFakeSize);
    usage.set_target(job.usage().target());
    usage.mutable_bytes()->set_total(kFakeSize);
    return reply;
  }
  internal::Mounts& mounts = *reply.mutable_mounts();
  if (job.has_mount()) *mounts.add_mounts() = mounted(job.mount().device(), job.mount().target());
  if (job.has_unmount())
    *mounts.add_mounts() = mounted(job.unmount().device(), job.unmount().target());
  return reply;
}

Status FakeMounters::start(const internal::StartMounter& request, ipc::Channel& control) {
  const std::lock_guard lock{mutex_};
  jobs_.push_back(request.job());
  changed_.notify_all();
  internal::ControlFrame frame;
  if (const auto refusal = std::exchange(refusal_, std::nullopt)) {
    frame.mutable_mounter_refused()->set_number(request.number());
    *frame.mutable_mounter_refused()->mutable_error() = ipc::to_proto(*refusal);
    return control.send(frame);
  }
  auto ends = ipc::make_pair();
  if (!ends) return std::unexpected(ends.error());
  frame.mutable_mounter_started()->set_number(request.number());
  if (auto sent = control.send(frame, std::array{ends->second.fd()}); !sent) return sent;
  if (!held_) return ends->first.send(reply_to(request.job()));
  waiting_.push_back({.job = request.job(), .channel = std::move(ends->first)});
  return {};
}

void FakeMounters::answer_with(internal::MountReply reply) {
  const std::lock_guard lock{mutex_};
  reply_ = std::move(reply);
}

void FakeMounters::hold() {
  const std::lock_guard lock{mutex_};
  held_ = true;
}

Status FakeMounters::release() {
  const std::lock_guard lock{mutex_};
  held_ = false;
  Status sent;
  for (Waiting& waiting : waiting_)
    if (auto one = waiting.channel.send(reply_to(waiting.job)); !one) sent = one;
  waiting_.clear();
  return sent;
}

void FakeMounters::die() {
  const std::lock_guard lock{mutex_};
  waiting_.clear();
}

void FakeMounters::refuse_next(Error why) {
  const std::lock_guard lock{mutex_};
  refusal_ = std::move(why);
}

bool FakeMounters::wait_for_jobs(std::size_t count, std::chrono::milliseconds limit) {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, limit, [&] { return jobs_.size() >= count; });
}

std::vector<internal::MountJob> FakeMounters::jobs() {
  const std::lock_guard lock{mutex_};
  return jobs_;
}

}  // namespace lvmd::fakes
