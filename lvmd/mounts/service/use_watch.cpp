#include "lvmd/mounts/service/use_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/mounts/service/volumes_in_use.hpp"
#include "lvmd/mounts/table/mounted_volume.hpp"

namespace lvmd::mounts {
namespace {

constexpr int kRetryMilliseconds = 1000;
constexpr int kForever = -1;

// The mount table has the paths without links, and kubelet's root may be one.
model::KubeletRoot resolved(model::KubeletRoot kubelet) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(kubelet.path, error);
  if (!error) kubelet.path = path;
  return kubelet;
}

}  // namespace

UseWatch::UseWatch(std::optional<model::KubeletRoot> kubelet, CallFailures& failures,
                   KnowsGroup knows_group, KernelTables tables)
    : kubelet_(std::move(kubelet)),
      failures_(failures),
      knows_group_(std::move(knows_group)),
      tables_(std::move(tables)) {}

Status UseWatch::start() {
  if (!kubelet_) {
    feed_.publish([] { return v1::VolumesInUse{}; });
    return {};
  }
  changed_.reset(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  stop_.reset(::eventfd(0, EFD_CLOEXEC));
  if (!changed_ || !stop_) return fail_errno(errno, "eventfd");
  // Opened before the first reading: a change during it is reported.
  mounts_.reset(::open(tables_.mountinfo.c_str(), O_RDONLY | O_CLOEXEC));
  if (!mounts_) return fail_errno(errno, tables_.mountinfo);
  failures_.on_change([this] { refresh(); });
  thread_ = std::thread{[this, published = publish()]() mutable { watch(published); }};
  return {};
}

void UseWatch::stop() {
  if (!thread_.joinable()) return;
  ::eventfd_write(stop_.get(), 1);
  thread_.join();
}

void UseWatch::refresh() const {
  if (changed_) ::eventfd_write(changed_.get(), 1);
}

bool UseWatch::publish() {
  const auto table = read_mount_table(
      tables_.mountinfo, [](const std::string& /*path*/) { return std::optional<DeviceNumber>{}; });
  if (!table) {
    log::warning(fmt::format("which volumes CSI uses is not known: {}", table.error().message));
    return false;
  }
  const auto volume = [this](const MountPoint& mount) {
    auto found = volume_of(mount, tables_.sysfs);
    if (found && !knows_group_(found->volume_group)) found.reset();
    return found;
  };
  feed_.publish(
      [&] { return volumes_in_use(resolved(*kubelet_), *table, volume, failures_.list()); });
  return true;
}

int UseWatch::timeout_milliseconds(bool published) const {
  if (!published) return kRetryMilliseconds;
  const auto end = failures_.next_end();
  if (!end) return kForever;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*end - std::chrono::steady_clock::now());
  return static_cast<int>(std::max(left.count(), std::chrono::milliseconds::rep{0}));
}

void UseWatch::watch(bool published) {
  for (;;) {
    std::array<pollfd, 3> polled{{{.fd = stop_.get(), .events = POLLIN, .revents = 0},
                                  {.fd = changed_.get(), .events = POLLIN, .revents = 0},
                                  {.fd = mounts_.get(), .events = POLLPRI, .revents = 0}}};
    if (::poll(polled.data(), polled.size(), timeout_milliseconds(published)) < 0) {
      if (errno == EINTR) continue;
      log::error(errno_error(errno, "poll for changes of the mount table").message);
      return;
    }
    if (polled[0].revents != 0) return;
    eventfd_t ignored = 0;
    static_cast<void>(::eventfd_read(changed_.get(), &ignored));
    published = publish();
    // A pod's start makes many mounts.
    if (::poll(polled.data(), 1, static_cast<int>(kQuiet.count())) > 0) return;
  }
}

}  // namespace lvmd::mounts
