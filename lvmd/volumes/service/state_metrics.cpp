#include "lvmd/volumes/service/state_metrics.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include "lvmd/model/available.hpp"
#include "lvmd/model/redundancy.hpp"
#include "lvmd/volumes/service/group_warnings.hpp"
#include "lvmd/volumes/service/responses.hpp"
#include "lvmd/volumes/service/volumes_without_class.hpp"

namespace lvmd::volumes {
namespace {

using Labels = std::vector<prometheus::ClientMetric::Label>;

// A family of gauges under construction.
class Gauges {
 public:
  Gauges(const char* name, const char* help)
      : family_{.name = name, .help = help, .type = prometheus::MetricType::Gauge, .metric = {}} {}

  void add(Labels labels, double value) {
    prometheus::ClientMetric& metric = family_.metric.emplace_back();
    metric.label = std::move(labels);
    metric.gauge.value = value;
  }
  void add(Labels labels, std::uint64_t value) {
    add(std::move(labels), static_cast<double>(value));
  }

  void move_to(std::vector<prometheus::MetricFamily>& families) {
    if (!family_.metric.empty()) families.push_back(std::move(family_));
  }

 private:
  prometheus::MetricFamily family_;
};

Labels class_labels(const std::string& node, const std::string& device_class) {
  return {{.name = "node", .value = node}, {.name = "device_class", .value = device_class}};
}

// The metrics of TopoLVM's node, from the Watch message. A pool that Watch omits, because it can't
// be used, has its size and its last usage.
void add_classes(const model::ClassCatalog& catalog, const ReadModel& read_model,
                 const std::string& node, std::vector<prometheus::MetricFamily>& families) {
  const proto::WatchResponse state = watch_message(catalog, read_model);
  Gauges size{"topolvm_volumegroup_size_bytes", "Size of the device class's volume group."};
  Gauges available{"topolvm_volumegroup_available_bytes",
                   "Bytes available in the class; for a thin class the free bytes of its group."};
  Gauges data{"topolvm_thinpool_data_percent", "Usage of the pool's data space in percent."};
  Gauges metadata{"topolvm_thinpool_metadata_percent",
                  "Usage of the pool's metadata space in percent."};
  Gauges pool_size{"topolvm_thinpool_size_bytes", "Size of the pool's data space."};
  Gauges provisionable{"topolvm_thinpool_overprovisioned_available",
                       "Virtual bytes that the pool can still provision to new volumes."};
  for (const proto::WatchItem& item : state.items()) {
    const Labels labels = class_labels(node, item.device_class());
    size.add(labels, item.size_bytes());
    available.add(labels, item.free_bytes());
    if (!item.has_thin_pool()) continue;
    data.add(labels, item.thin_pool().data_percent());
    metadata.add(labels, item.thin_pool().metadata_percent());
    pool_size.add(labels, item.thin_pool().size_bytes());
    provisionable.add(labels, item.thin_pool().overprovision_bytes());
  }
  for (const model::DeviceClass& device_class : catalog.device_classes) {
    const auto group = read_model.group(device_class.volume_group);
    if (!device_class.thin_pool || !group || model::available(**group, device_class)) continue;
    const auto pool = model::find_thin_pool(**group, *device_class.thin_pool);
    if (!pool) continue;
    const Labels labels = class_labels(node, device_class.name);
    pool_size.add(labels, (*pool)->size.value);
    if (const auto usage = read_model.last_usage(device_class.volume_group, (*pool)->name)) {
      data.add(labels, usage->data_percent);
      metadata.add(labels, usage->metadata_percent);
    }
  }
  for (Gauges* const gauges : {&size, &available, &data, &metadata, &pool_size, &provisionable})
    gauges->move_to(families);
}

// The pool's state by the terms of the kernel and LVM, or "missing" or "inactive".
std::string_view state_of_pool(const model::VolumeGroup& group, const model::ThinPoolTarget& pool) {
  const auto found = model::find_thin_pool(group, pool);
  if (!found) return "missing";
  if (!(*found)->pool_condition) return "inactive";
  return model::to_string((*found)->pool_condition->health());
}

// Pools of a group that can't be read have no state.
void add_pool_states(const model::ClassCatalog& catalog, const ReadModel& read_model,
                     std::vector<prometheus::MetricFamily>& families) {
  constexpr std::array<std::string_view, 9> kStates{
      "ok",    "out_of_data_space",       "read_only", "needs_check", "failed",
      "error", "transaction_id_mismatch", "inactive",  "missing"};
  Gauges states{"lvmd_thin_pool_state",
                "1 for the current state of the class's thin pool, 0 for the others."};
  for (const model::DeviceClass& device_class : catalog.device_classes) {
    const auto group = read_model.group(device_class.volume_group);
    if (!device_class.thin_pool || !group) continue;
    const std::string_view now = state_of_pool(**group, *device_class.thin_pool);
    for (const std::string_view state : kStates)
      states.add({{.name = "device_class", .value = device_class.name},
                  {.name = "state", .value = std::string{state}}},
                 state == now ? 1.0 : 0.0);
  }
  states.move_to(families);
}

// Whether at least one class of the group is usable.
bool is_usable(const model::VolumeGroup& group, const model::ClassCatalog& catalog) {
  return std::ranges::any_of(catalog.device_classes, [&](const model::DeviceClass& device_class) {
    return device_class.volume_group == group.name && model::available(group, device_class);
  });
}

std::uint64_t missing_devices(const model::VolumeGroup& group) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(group.physical_volumes, &model::PhysicalVolume::missing));
}

std::uint64_t visible_volumes(const model::VolumeGroup& group) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(group.logical_volumes, &model::LogicalVolume::is_visible));
}

std::uint64_t volumes_without_class(const model::VolumeGroup& group,
                                    const model::ClassCatalog& catalog) {
  std::uint64_t count = 0;
  for (const auto& [name, volumes] : find_volumes_without_class(group, catalog)) count += volumes;
  return count;
}

}  // namespace

std::vector<prometheus::MetricFamily> state_metrics(const model::ClassCatalog& catalog,
                                                    const ReadModel& read_model,
                                                    const std::vector<GroupActivity>& groups,
                                                    const std::string& node, MonotonicTime now) {
  std::vector<prometheus::MetricFamily> families;
  add_classes(catalog, read_model, node, families);
  add_pool_states(catalog, read_model, families);
  Gauges usable{"lvmd_volume_group_usable",
                "1 while a volume can be created in a class of the group, else 0."};
  Gauges size{"lvmd_volume_group_size_bytes", "Size of all extents of the volume group."};
  Gauges free{"lvmd_volume_group_free_bytes",
              "Size of the free extents of the volume group; spare-gb is not subtracted."};
  Gauges volumes{"lvmd_volume_group_logical_volumes",
                 "Volumes that lvs shows without -a, thin pools among them."};
  Gauges without_class{"lvmd_volume_group_unclaimed_volumes",
                       "Volumes whose device class lvmd.yaml no longer has."};
  Gauges missing{"lvmd_volume_group_missing_physical_volumes",
                 "Missing physical volumes of the group."};
  Gauges degraded{"lvmd_volume_group_degraded_volumes",
                  "Volumes that miss a leg or a physical volume."};
  Gauges syncing{"lvmd_volume_group_out_of_sync_volumes",
                 "RAID volumes and mirrors whose copies are not in sync."};
  Gauges unmonitored{"lvmd_volume_group_unmonitored_pools",
                     "Thin pools of the group's classes that dmeventd does not monitor."};
  Gauges text_size{"lvmd_volume_group_metadata_size_bytes",
                   "Largest metadata text of the group that LVM can write."};
  Gauges text_free{"lvmd_volume_group_metadata_free_bytes",
                   "Bytes by which the metadata text of the group can still grow."};
  Gauges damaged{"lvmd_volume_group_damaged_metadata_copies",
                 "Copies of the group's metadata that can't be read or are out of date."};
  Gauges age{"lvmd_state_age_seconds",
             "Time since the newest state was read; grows while nothing changes."};
  Gauges queue{"lvmd_changes_queued", "Changes that wait or run in the volume group."};
  for (const GroupActivity& activity : groups) {
    const Labels labels{{.name = "volume_group", .value = activity.volume_group}};
    queue.add(labels, static_cast<std::uint64_t>(activity.queued_changes));
    const auto state = read_model.find(activity.volume_group);
    usable.add(labels,
               state != nullptr && state->group && is_usable(*state->group, catalog) ? 1.0 : 0.0);
    if (state == nullptr) continue;
    age.add(labels, std::chrono::duration<double>(now - state->observed_at).count());
    if (!state->group) continue;
    const model::VolumeGroup& group = *state->group;
    size.add(labels, group.size().value);
    free.add(labels, group.free().value);
    volumes.add(labels, visible_volumes(group));
    without_class.add(labels, volumes_without_class(group, catalog));
    missing.add(labels, missing_devices(group));
    degraded.add(labels, std::uint64_t{model::degraded_volumes(group).size()});
    syncing.add(labels, std::uint64_t{model::out_of_sync_volumes(group).size()});
    unmonitored.add(labels, std::uint64_t{unmonitored_pools(group, catalog).size()});
    text_size.add(labels, group.copies.longest_text.value);
    text_free.add(labels, group.copies.free.value);
    if (group.copies.damaged) damaged.add(labels, std::uint64_t{group.copies.damaged->size()});
  }
  for (Gauges* const gauges :
       {&usable, &size, &free, &volumes, &without_class, &missing, &degraded, &syncing,
        &unmonitored, &text_size, &text_free, &damaged, &age, &queue})
    gauges->move_to(families);
  return families;
}

}  // namespace lvmd::volumes
