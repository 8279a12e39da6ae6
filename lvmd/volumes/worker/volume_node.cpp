#include "lvmd/volumes/worker/volume_node.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <thread>

#include "lvmd/base/log.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/volumes/worker/udev_backlog.hpp"

namespace lvmd::volumes::worker {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// On a busy host udev takes seconds. If udevd hangs, lvmd continues without it. LVM may have waited
// for 30 s before (P-RUN-23), and callers wait for a minute.
constexpr auto kUdevWait = 15s;
// udevd needs some milliseconds until it has seen an event. If it is idle for longer, it is
// stopped.
constexpr auto kIdleWait = 1s;
// udev handles an event in less than a second, also on a busy host.
constexpr auto kNoProgress = 3s;
// After this time health reports the step (P-HEALTH-7).
constexpr auto kUdevLimit = 10s;
constexpr auto kPause = 2ms;
// Enough for a burst of some changes, and handled within seconds.
constexpr std::size_t kMostEvents = 16;

// Also for a link to nothing.
bool is_present(const std::filesystem::path& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 || errno != ENOENT;
}

// True if the path is a link to no device, or leads to `device`.
bool is_left(const std::filesystem::path& path, const model::DeviceState& device) {
  struct stat status{};
  return is_present(path) && (::stat(path.c_str(), &status) != 0 ||
                              status.st_rdev == makedev(device.major, device.minor));
}

Status make_link(const std::filesystem::path& path, const model::DeviceState& device) {
  const std::string target = fmt::format("../dm-{}", device.minor);
  int error = 0;
  // Meanwhile udev may make the same link, remove an old one, or remove the empty folder.
  for (int attempt = 0; attempt < 5; ++attempt) {
    if (leads_to(path, device)) return {};
    static_cast<void>(::mkdir(path.parent_path().c_str(), 0755));
    if (::symlink(target.c_str(), path.c_str()) == 0) return {};
    error = errno;
    if (error == EEXIST && !leads_to(path, device)) static_cast<void>(::unlink(path.c_str()));
  }
  return fail_errno(error, fmt::format("cannot make the link {}", path.string()));
}

}  // namespace

Result<std::string> kernel_node(const model::DeviceState& device) {
  std::string path = fmt::format("/dev/dm-{}", device.minor);
  if (leads_to(path, device)) return path;
  return fail(Code::kInternal, "{} is not the node of device {}:{}", path, device.major,
              device.minor);
}

Result<model::Bytes> device_size(const model::DeviceState& device) {
  const std::string path = fmt::format("/sys/dev/block/{}:{}/size", device.major, device.minor);
  std::ifstream file{path};
  std::uint64_t sectors = 0;
  if (!(file >> sectors)) return fail(Code::kInternal, "cannot read {}", path);
  return model::Bytes{sectors * model::kSectorSize};
}

bool leads_to(const std::string& path, const model::DeviceState& device) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && S_ISBLK(status.st_mode) &&
         status.st_rdev == makedev(device.major, device.minor);
}

VolumeLinks links_of(std::string_view volume_group, std::string_view volume,
                     const std::filesystem::path& dev) {
  return {dev / volume_group / volume, dev / "mapper" / model::mapped_name(volume_group, volume)};
}

Status make_links(const VolumeLinks& links, const model::DeviceState& device) {
  for (const std::filesystem::path& path : links)
    if (auto made = make_link(path, device); !made) return made;
  return {};
}

void remove_links(const VolumeLinks& links, const model::DeviceState& removed) {
  for (const std::filesystem::path& path : links)
    if (is_left(path, removed)) static_cast<void>(::unlink(path.c_str()));
}

void remove_links(const model::LogicalVolume& removed, LvmExecutor& executor) {
  if (!removed.device) return;
  remove_links(links_of(executor.volume_group(), removed.name), *removed.device);
  executor.udev_backlog().add_removed(removed.name, *removed.device);
}

void limit_backlog(std::string_view volume, LvmExecutor& executor) {
  UdevBacklog& backlog = executor.udev_backlog();
  std::size_t size = backlog.size();
  if (size <= kMostEvents) return;
  const auto step = executor.announce("udev, events before", volume, kUdevLimit);
  const auto begin = Clock::now();
  auto handled_at = begin;
  while (size > kMostEvents) {
    std::this_thread::sleep_for(kPause);
    const auto now = Clock::now();
    const std::size_t size_now = backlog.size();
    if (size_now < size) handled_at = now;
    size = size_now;
    if (now - handled_at > kNoProgress) {
      log::notice(fmt::format("udev has {} events to handle and has handled none for {} s: lvmd "
                              "continues. Check that systemd-udevd runs",
                              size, kNoProgress.count()),
                  {{log::kVg, executor.volume_group()}, {log::kLv, std::string{volume}}});
      return backlog.forget_events();
    }
    if (now - begin > kUdevWait) return;
  }
}

void await_removals(const model::LogicalVolume& lv, LvmExecutor& executor) {
  if (!executor.udev_backlog().has_removal_before(lv)) return;
  const auto step = executor.announce("udev, removals before", lv.name, kUdevLimit);
  const auto begin = Clock::now();
  auto busy_at = begin;
  while (executor.udev_backlog().has_removal_before(lv)) {
    const auto now = Clock::now();
    if (udev_is_busy()) busy_at = now;
    if (now - busy_at > kIdleWait || now - begin > kUdevWait) {
      log::notice(fmt::format("udev has not handled the removals of earlier devices, with which it "
                              "may remove the links to {}: lvmd continues",
                              lv.path),
                  {{log::kVg, executor.volume_group()}, {log::kLv, lv.name}});
      return;
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace lvmd::volumes::worker
