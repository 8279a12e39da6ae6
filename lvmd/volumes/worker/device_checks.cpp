#include "lvmd/volumes/worker/device_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "lvmd/base/reason.hpp"
#include "lvmd/devmapper/device_mapper.hpp"
#include "lvmd/mounts/table/users.hpp"
#include "lvmd/probe/blankness.hpp"
#include "lvmd/volumes/worker/volume_node.hpp"

namespace lvmd::volumes::worker {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// udev opens a volume briefly after each change. An opener that stays longer is a user.
constexpr auto kOpenerLimit = 1s;
constexpr auto kInterval = 50ms;

Failure in_use(const model::LogicalVolume& lv, const std::vector<std::string>& users,
               const model::DeviceState& device) {
  return fail(Code::kFailedPrecondition, "logical volume {} is in use{}: {} open(s)", lv.name,
              users.empty() ? "" : fmt::format(" ({})", fmt::join(users, ", ")), device.open_count)
      .because(reason::kVolumeInUse)
      .with(key::kHolder, users.empty() ? "" : users.front());
}

}  // namespace

Status check_unused(std::string_view vg_id, const model::LogicalVolume& lv) {
  devmapper::DeviceMapper device_mapper;
  const auto deadline = std::chrono::steady_clock::now() + kOpenerLimit;
  for (;;) {
    const auto device = device_mapper.device(vg_id, lv.id);
    if (!device) return std::unexpected(device.error());
    if (!*device) return {};
    const model::DeviceState& now = **device;
    if (now.open_count == 0) {
      const auto mounted = mounts::node_mounts(now.major, now.minor);
      if (!mounted) return std::unexpected(mounted.error());
      if (mounted->empty()) return {};
      return in_use(lv, *mounted, now);
    }
    const auto users = mounts::who_uses(now.major, now.minor).value_or(std::vector<std::string>{});
    if (!users.empty() || std::chrono::steady_clock::now() > deadline)
      return in_use(lv, users, now);
    std::this_thread::sleep_for(kInterval);
  }
}

Status check_blank(const model::LogicalVolume& lv) {
  if (!lv.is_active())
    return fail(Code::kFailedPrecondition,
                "volume {} is not active: activate it with `lvchange -ay {}`", lv.name, lv.path)
        .because(reason::kVolumeInactive);
  const auto node = kernel_node(*lv.device);
  if (!node) return std::unexpected(node.error());
  const auto found = probe::why_not_blank(*node);
  if (!found) return std::unexpected(found.error());
  if (!*found) return {};
  return fail(Code::kFailedPrecondition, "volume {} is not blank: {}", lv.name, (*found)->why)
      .because(reason::kVolumeNotBlank);
}

}  // namespace lvmd::volumes::worker
