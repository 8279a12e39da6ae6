#include "lvmd/volumes/worker/volume_node.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <thread>

#include "lvmd/base/log.hpp"

namespace lvmd::volumes::worker {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// On a busy host udev takes seconds. If udevd does not run, the link never appears.
constexpr auto kUdevWait = 30s;
// After this time health reports the step (P-HEALTH-7).
constexpr auto kUdevLimit = 10s;
constexpr auto kPause = 2ms;

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + kUdevWait;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
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

Status await_link(const model::LogicalVolume& lv, const LvmExecutor& executor) {
  const auto is_there = [&] { return leads_to(lv.path, *lv.device); };
  if (is_there()) return {};
  const auto step = executor.announce("udev, link to", lv.name, kUdevLimit);
  if (eventually(is_there)) return {};
  return fail(Code::kUnavailable, "udev has not made {} within {} s: check that systemd-udevd runs",
              lv.path, kUdevWait.count());
}

void await_no_link(const model::LogicalVolume& lv, const LvmExecutor& executor) {
  // lstat(), because a dangling link must count as existing.
  const auto is_gone = [&] {
    struct stat status{};
    if (::lstat(lv.path.c_str(), &status) != 0) return errno == ENOENT;
    return ::stat(lv.path.c_str(), &status) == 0 &&
           status.st_rdev != makedev(lv.device->major, lv.device->minor);
  };
  if (is_gone()) return;
  const auto step = executor.announce("udev, no link to", lv.name, kUdevLimit);
  if (!eventually(is_gone))
    log::warning(fmt::format("udev has not removed {} within {} s", lv.path, kUdevWait.count()));
}

}  // namespace lvmd::volumes::worker
