#include "lvmd/server/state_metrics.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lvmd/server/responses.hpp"
#include "lvmd/server/unclaimed.hpp"

namespace lvmd::server {
namespace {

using Labels = std::vector<prometheus::ClientMetric::Label>;

// A family of gauges that is filled one by one.
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

// What TopoLVM's node exports, from the same message that it gets by Watch.
void add_classes(const proto::WatchResponse& state, const std::string& node,
                 std::vector<prometheus::MetricFamily>& families) {
  Gauges size{"topolvm_volumegroup_size_bytes", "Size of the device class's volume group."};
  Gauges available{"topolvm_volumegroup_available_bytes",
                   "What the class can still give; for a thin class its group's free bytes."};
  Gauges data{"topolvm_thinpool_data_percent", "How full the pool's data space is."};
  Gauges metadata{"topolvm_thinpool_metadata_percent", "How full the pool's metadata space is."};
  Gauges pool_size{"topolvm_thinpool_size_bytes", "Size of the pool's data space."};
  Gauges promised{"topolvm_thinpool_overprovisioned_available",
                  "What the pool may still promise to new volumes."};
  for (const proto::WatchItem& item : state.items()) {
    const Labels labels{{.name = "node", .value = node},
                        {.name = "device_class", .value = item.device_class()}};
    size.add(labels, item.size_bytes());
    available.add(labels, item.free_bytes());
    if (!item.has_thin_pool()) continue;
    data.add(labels, item.thin_pool().data_percent());
    metadata.add(labels, item.thin_pool().metadata_percent());
    pool_size.add(labels, item.thin_pool().size_bytes());
    promised.add(labels, item.thin_pool().overprovision_bytes());
  }
  for (Gauges* const gauges : {&size, &available, &data, &metadata, &pool_size, &promised})
    gauges->move_to(families);
}

std::uint64_t visible_volumes(const model::VolumeGroup& group) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(group.logical_volumes, &model::LogicalVolume::is_visible));
}

std::uint64_t unclaimed_volumes(const model::VolumeGroup& group,
                                const model::ClassCatalog& catalog) {
  std::uint64_t count = 0;
  for (const auto& [name, volumes] : find_unclaimed(group, catalog)) count += volumes;
  return count;
}

}  // namespace

std::vector<prometheus::MetricFamily> state_metrics(const model::ClassCatalog& catalog,
                                                    const ReadModel& read_model,
                                                    const std::vector<GroupActivity>& groups,
                                                    const std::string& node, MonotonicTime now) {
  std::vector<prometheus::MetricFamily> families;
  add_classes(watch_message(catalog, read_model), node, families);
  Gauges usable{"lvmd_volume_group_usable", "1 while the volume group can be used, else 0."};
  Gauges size{"lvmd_volume_group_size_bytes", "All extents of the volume group."};
  Gauges free{"lvmd_volume_group_free_bytes", "Extents that no volume has, spare not taken off."};
  Gauges volumes{"lvmd_volume_group_logical_volumes",
                 "Volumes that lvs shows without -a, thin pools among them."};
  Gauges unclaimed{"lvmd_volume_group_unclaimed_volumes",
                   "Volumes made for a device class that lvmd.yaml does not have any more."};
  Gauges age{"lvmd_state_age_seconds",
             "Time since the newest state was read; grows while nothing changes."};
  Gauges queue{"lvmd_changes_queued", "Changes that wait or run."};
  for (const GroupActivity& activity : groups) {
    const Labels labels{{.name = "volume_group", .value = activity.volume_group}};
    queue.add(labels, static_cast<std::uint64_t>(activity.queued_changes));
    const auto state = read_model.find(activity.volume_group);
    usable.add(labels, state != nullptr && state->group ? 1.0 : 0.0);
    if (state == nullptr) continue;
    age.add(labels, std::chrono::duration<double>(now - state->observed_at).count());
    if (!state->group) continue;
    const model::VolumeGroup& group = *state->group;
    size.add(labels, group.size().value);
    free.add(labels, group.free().value);
    volumes.add(labels, visible_volumes(group));
    unclaimed.add(labels, unclaimed_volumes(group, catalog));
  }
  for (Gauges* const gauges : {&usable, &size, &free, &volumes, &unclaimed, &age, &queue})
    gauges->move_to(families);
  return families;
}

}  // namespace lvmd::server
