#include "tests/system/differential.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <thread>

#include "lvmd/report/report_reader.hpp"
#include "lvmd/state/vg_reader.hpp"

namespace lvmd::system_tests {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr const char* kLvm = "/usr/sbin/lvm";
constexpr int kMaxAttempts = 20;

std::string show(const model::PhysicalVolume& pv) {
  std::vector<std::uint64_t> areas;
  areas.reserve(pv.free_areas.size());
  for (const model::Extents area : pv.free_areas) areas.push_back(area.value);
  return fmt::format("pv {} device={} size={} free={} areas={} allocatable={} missing={}", pv.id,
                     pv.device, pv.size.value, pv.free.value, areas, pv.allocatable, pv.missing);
}

std::string show(const model::LogicalVolume& lv) {
  std::string attr = lv.attr;
  attr.at(5) = '-';
  return fmt::format(
      "lv {} attr={} id={} role={} type={} stripes={} size={} tags={} pool={} origin={} "
      "writable={} "
      "path={} device={} usage={}",
      lv.name, attr, lv.id, static_cast<int>(lv.role), lv.segment_type, lv.stripes, lv.size.value,
      lv.tags, lv.pool, lv.origin, lv.writable, lv.path,
      lv.device ? fmt::format("{}:{}", lv.device->major, lv.device->minor) : "-",
      lv.usage.has_value());
}

// One line for each thing that must be the same.
std::vector<std::string> show(const model::VolumeGroup& group) {
  std::vector<std::string> lines{fmt::format("vg {} id={} seqno={} extent={}", group.name, group.id,
                                             group.seqno, group.extent_size.value)};
  for (const model::PhysicalVolume& pv : group.physical_volumes) lines.push_back(show(pv));
  for (const model::LogicalVolume& lv : group.logical_volumes) lines.push_back(show(lv));
  return lines;
}

std::string differences(const std::vector<std::string>& own, const std::vector<std::string>& lvm) {
  std::string text;
  for (const std::string& line : own)
    if (std::ranges::find(lvm, line) == lvm.end()) text += fmt::format("  own {}\n", line);
  for (const std::string& line : lvm)
    if (std::ranges::find(own, line) == own.end()) text += fmt::format("  lvm {}\n", line);
  return text;
}

model::VolumeGroup read_directly(state::VgReader& reader, const model::VgAccess& access) {
  model::VgState state = reader.read(access);
  if (!state.group) FAIL("the direct reader: " << describe(state.group.error()));
  return *std::move(state.group);
}

}  // namespace

model::VolumeGroup check_readers_agree(const std::string& name, const model::VgAccess& access) {
  state::VgReader reader{name, kLvm};
  std::string before;
  for (int attempt = 1;; ++attempt) {
    model::VolumeGroup own = read_directly(reader, access);
    REQUIRE(own.source == model::StateSource::kMetadata);
    const auto report = report::run_report(kLvm, name, 60s);
    if (!report) FAIL("LVM's report: " << describe(report.error()));
    const auto lvm = report::parse_report(*report, name);
    if (!lvm) FAIL("LVM's report: " << describe(lvm.error()));
    const std::string differ = differences(show(own), show(*lvm));
    // The report came a moment later. What differs in another way, or not any more, was on its way.
    if (!differ.empty() && differ != before && attempt < kMaxAttempts) {
      before = differ;
      std::this_thread::sleep_for(100ms);
      continue;
    }
    INFO("attempt " << attempt << "\n" << differ);
    CHECK(differ.empty());
    return own;
  }
}

}  // namespace lvmd::system_tests
