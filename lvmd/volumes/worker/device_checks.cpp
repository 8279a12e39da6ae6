#include "lvmd/volumes/worker/device_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <thread>

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

}  // namespace

Status check_unused(std::string_view vg_id, const model::LogicalVolume& lv) {
  devmapper::DeviceMapper device_mapper;
  const auto deadline = std::chrono::steady_clock::now() + kOpenerLimit;
  for (;;) {
    const auto device = device_mapper.device(vg_id, lv.id);
    if (!device) return std::unexpected(device.error());
    if (!*device || (*device)->open_count == 0) return {};
    const auto users = mounts::who_uses((*device)->major, (*device)->minor);
    const bool known = users && !users->empty();
    if (known || std::chrono::steady_clock::now() > deadline)
      return fail(Code::kFailedPrecondition, "logical volume {} is in use{}: {} open(s)", lv.name,
                  known ? fmt::format(" ({})", fmt::join(*users, ", ")) : "", (*device)->open_count)
          .because(reason::kVolumeInUse)
          .with(key::kHolder, known ? users->front() : "");
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
