#include "lvmd/devmapper/device_mapper.hpp"

#include <libdevmapper.h>

#include <utility>

#include "lvmd/devmapper/device_name.hpp"
#include "lvmd/devmapper/dm_log.hpp"
#include "lvmd/devmapper/dm_task.hpp"
#include "lvmd/devmapper/thin_pool_status.hpp"

namespace lvmd::devmapper {
namespace {

// The state of the thin-pool target that a status task found; absent when the device is gone or
// holds something else, as between two of LVM's steps.
Result<std::optional<model::ThinPoolState>> pool_state(dm_task* task) {
  const auto device = device_state(task);
  if (!device) return std::unexpected(device.error());
  if (!*device) return std::nullopt;
  std::uint64_t start = 0;
  std::uint64_t length = 0;
  char* target = nullptr;
  char* line = nullptr;
  dm_get_next_target(task, nullptr, &start, &length, &target, &line);
  if (target == nullptr || line == nullptr || std::string_view{target} != "thin-pool")
    return std::nullopt;
  auto state = parse_thin_pool_status(line);
  if (!state) return std::unexpected(state.error());
  state->device = **device;
  return std::optional{*std::move(state)};
}

}  // namespace

DeviceMapper::DeviceMapper() { route_log(); }

Result<model::VgDevices> DeviceMapper::devices(std::string_view vg_name, std::string_view vg_id) {
  model::VgDevices result;
  const std::string prefix = device_name_prefix(vg_name);
  auto listed = for_each_device([&](std::string_view name) -> Status {
    if (!name.starts_with(prefix)) return {};
    const auto info = run_task(DM_DEVICE_INFO, ByName{std::string{name}});
    if (!info) return std::unexpected(info.error());
    const auto state = device_state(info->get());
    if (!state) return std::unexpected(state.error());
    const char* const uuid = dm_task_get_uuid(info->get());
    if (!*state || uuid == nullptr) return {};
    const auto device = parse_device_uuid(uuid, vg_id);
    if (!device) return {};
    if (device->layer == DeviceLayer::kVolume) {
      result.volumes.insert_or_assign(device->lv_id, **state);
    } else if (device->layer == DeviceLayer::kThinPool) {
      const auto pool = thin_pool(vg_id, device->lv_id);
      if (!pool) return std::unexpected(pool.error());
      if (*pool) result.thin_pools.insert_or_assign(device->lv_id, **pool);
    }
    return {};
  });
  if (!listed) return std::unexpected(listed.error());
  return result;
}

Result<std::optional<model::DeviceState>> DeviceMapper::device(std::string_view vg_id,
                                                               std::string_view lv_id) {
  const auto info = run_task(DM_DEVICE_INFO, ByUuid{device_uuid(vg_id, lv_id)});
  if (!info) return std::unexpected(info.error());
  return device_state(info->get());
}

Result<std::optional<model::ThinPoolState>> DeviceMapper::thin_pool(std::string_view vg_id,
                                                                    std::string_view lv_id) {
  const auto status = run_task(DM_DEVICE_STATUS, ByUuid{device_uuid(vg_id, lv_id) + "-tpool"});
  if (!status) return std::unexpected(status.error());
  return pool_state(status->get());
}

}  // namespace lvmd::devmapper
