#include "lvmd/devmapper/device_mapper.hpp"

#include <libdevmapper.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/devmapper/device_name.hpp"
#include "lvmd/devmapper/dm_task.hpp"
#include "lvmd/devmapper/target_status.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/model/redundancy.hpp"

namespace lvmd::devmapper {
namespace {

// The lowest three bits of libdevmapper's levels are syslog's levels. The other bits are flags.
constexpr int kLevelMask = 7;
constexpr int kWarning = 4;

// Passes errors and warnings to lvmd's log, both as warnings: the caller decides whether an
// operation has failed. libdevmapper requires a variadic function.
// NOLINTNEXTLINE(cert-dcl50-cpp)
__attribute__((format(printf, 5, 6))) void to_log(int level, const char* /*file*/, int /*line*/,
                                                  int /*errno_or_class*/, const char* format, ...) {
  if ((level & kLevelMask) > kWarning) return;
  std::array<char, 1024> text{};
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  if (length < 0) return;
  log::warning(fmt::format("libdevmapper: {}", text.data()));
}

// The state of the thin-pool target in the result of a status task. Absent if the device is gone or
// has another target, for example between two steps of LVM.
Result<std::optional<model::ThinPoolState>> pool_state(dm_task* task) {
  const auto device = device_state(task);
  if (!device) return std::unexpected(device.error());
  if (!*device) return std::nullopt;
  std::optional<std::string> line;
  auto visited = for_each_target(task, [&](std::string_view target, const std::string& status) {
    if (target == "thin-pool") line = status;
    return Status{};
  });
  if (!visited) return std::unexpected(visited.error());
  if (!line) return std::nullopt;
  auto state = parse_thin_pool_status(*line);
  if (!state) return std::unexpected(state.error());
  state->device = **device;
  return std::optional{*std::move(state)};
}

// The device with its target status; absent if it is gone.
Result<std::optional<model::VolumeDevice>> with_targets(const std::string& uuid) {
  const auto task = run_task(DM_DEVICE_STATUS, ByUuid{uuid});
  if (!task) return std::unexpected(task.error());
  const auto state = device_state(task->get());
  if (!state) return std::unexpected(state.error());
  if (!*state) return std::nullopt;
  model::VolumeDevice device{.state = **state, .target = {}};
  auto visited =
      for_each_target(task->get(), [&](std::string_view target, const std::string& line) -> Status {
        auto status = parse_target_status(target, line, device.target);
        if (!status) return std::unexpected(status.error());
        device.target = *std::move(status);
        return {};
      });
  if (!visited) return std::unexpected(visited.error());
  return device;
}

void add_device(const VolumeDevice& device, const model::VolumeDevice& found,
                model::VgDevices& devices) {
  if (device.layer == DeviceLayer::kReal) {
    devices.real.insert_or_assign(device.lv_id, found);
  } else if (device.layer == DeviceLayer::kCachePart) {
    // The own device of a cache volume has priority.
    devices.volumes.try_emplace(device.lv_id, found);
  } else {
    devices.volumes.insert_or_assign(device.lv_id, found);
  }
}

}  // namespace

DeviceMapper::DeviceMapper() { dm_log_with_errno_init(&to_log); }

Status DeviceMapper::add_listed(const ListedDevice& listed, std::string_view vg_id,
                                const Ids& with_status, model::VgDevices& devices) {
  const auto info = control_->info(listed.number);
  if (!info) return std::unexpected(info.error());
  const auto device = *info ? parse_device_uuid((*info)->uuid, vg_id) : std::nullopt;
  if (!device || device->layer == DeviceLayer::kInner) return {};
  if (device->layer == DeviceLayer::kThinPool) {
    const auto pool = thin_pool(vg_id, device->lv_id);
    if (!pool) return std::unexpected(pool.error());
    if (*pool) devices.thin_pools.insert_or_assign(device->lv_id, **pool);
    return {};
  }
  std::optional<model::VolumeDevice> found{{.state = (*info)->state, .target = {}}};
  if (with_status.contains(device->lv_id)) {
    const auto whole = with_targets((*info)->uuid);
    if (!whole) return std::unexpected(whole.error());
    found = *whole;
  }
  if (found) add_device(*device, *found, devices);
  return {};
}

Result<model::VgDevices> DeviceMapper::devices(std::string_view vg_name, std::string_view vg_id,
                                               const Ids& with_status) {
  if (!control_) {
    auto control = DmControl::open();
    if (!control) return std::unexpected(control.error());
    control_ = *std::move(control);
  }
  const auto listed = control_->list();
  if (!listed) return std::unexpected(listed.error());
  model::VgDevices result;
  const std::string prefix = device_name_prefix(vg_name);
  for (const ListedDevice& each : *listed)
    if (each.name.starts_with(prefix))
      if (auto added = add_listed(each, vg_id, with_status, result); !added)
        return std::unexpected(added.error());
  return result;
}

Result<std::optional<model::DeviceState>> DeviceMapper::device(std::string_view vg_id,
                                                               std::string_view lv_id) {
  const auto info = run_task(DM_DEVICE_INFO, ByUuid{model::mapped_uuid(vg_id, lv_id)});
  if (!info) return std::unexpected(info.error());
  return device_state(info->get());
}

Result<std::optional<model::ThinPoolState>> DeviceMapper::thin_pool(std::string_view vg_id,
                                                                    std::string_view lv_id) {
  const auto status =
      run_task(DM_DEVICE_STATUS, ByUuid{model::mapped_uuid(vg_id, lv_id) + "-tpool"});
  if (!status) return std::unexpected(status.error());
  return pool_state(status->get());
}

Result<std::optional<model::Redundancy>> DeviceMapper::redundancy(std::string_view vg_id,
                                                                  std::string_view lv_id) {
  // Under a snapshot or a cache, the target is in the layer "-real".
  const std::string own = model::mapped_uuid(vg_id, lv_id);
  for (const std::string& uuid : {own, own + "-real"}) {
    const auto device = with_targets(uuid);
    if (!device) return std::unexpected(device.error());
    if (!*device) continue;
    if (const auto found = model::redundancy_of((*device)->target)) return found;
  }
  return std::nullopt;
}

}  // namespace lvmd::devmapper
