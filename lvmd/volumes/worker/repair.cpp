#include "lvmd/volumes/worker/repair.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/volumes/worker/commands.hpp"
#include "lvmd/volumes/worker/volume_node.hpp"

namespace lvmd::volumes::worker {
namespace {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;
using Clock = std::chrono::steady_clock;

constexpr auto kLinkWait = 10s;
// The largest number of volumes in one log line.
constexpr std::size_t kMostNames = 20;

bool has_other_size_in_kernel(const model::LogicalVolume& lv) {
  if (!lv.device) return false;
  const auto size = device_size(*lv.device);
  return size && *size != lv.size;
}

bool has_lvmd_tags(const model::LogicalVolume& lv) {
  return lv.is_visible() && model::ownership_of(lv.tags);
}

bool lacks_link(const model::LogicalVolume& lv) {
  return has_lvmd_tags(lv) && lv.is_active() && !leads_to(lv.path, *lv.device);
}

std::vector<std::string> without_link(const model::VolumeGroup& group) {
  std::vector<std::string> names;
  for (const model::LogicalVolume& lv : group.logical_volumes)
    if (lacks_link(lv)) names.push_back(lv.name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  if (names.size() <= kMostNames) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kMostNames, ", "),
                     names.size() - kMostNames);
}

}  // namespace

std::vector<Finding> inspect(const model::LogicalVolume& lv, const std::string& path,
                             bool activate) {
  const auto ownership = model::ownership_of(lv.tags);
  const bool is_pool = lv.role == model::LvRole::kThinPool;
  if (!is_pool && !has_lvmd_tags(lv)) return {};
  std::vector<Finding> findings;
  if (lv.is_active() && lv.device->suspended)
    findings.push_back({.what = "is suspended", .repair = refresh_command(path)});
  if (is_pool || !ownership) return findings;
  if (!lv.is_active() && activate)
    findings.push_back({.what = "is not active", .repair = activate_command(path)});
  if (!lv.is_active() && !activate)
    findings.push_back({.what = "is not active", .advice = "lvchange -ay"});
  if (ownership->access_type == "ro" && lv.writable)
    findings.push_back(
        {.what = "is writable although it was created read-only", .advice = "lvchange -pr"});
  if (lv.is_active() && !lv.device->suspended && has_other_size_in_kernel(lv))
    findings.push_back({.what = "has different sizes in the kernel and in LVM's metadata",
                        .advice = "lvchange --refresh"});
  if (lv.size < ownership->size)
    findings.push_back(
        {.what = "is smaller than at its creation", .advice = "lvs -o name,size,tags"});
  return findings;
}

Repair::Repair(std::string volume_group, BootMark activated, LvmExecutor& executor)
    : volume_group_(std::move(volume_group)),
      activated_(std::move(activated)),
      executor_(executor) {}

std::optional<std::chrono::milliseconds> Repair::due() const {
  if (asleep_ || stage_ == Stage::kDone) return std::nullopt;
  if (stage_ != Stage::kLinks) return 0ms;
  return std::max(0ms, std::chrono::ceil<std::chrono::milliseconds>(links_due_ - Clock::now()));
}

bool Repair::step(GroupReader& reader, const Names& skipped) {
  const model::VgState state = reader.read();
  if (!state.group) {
    asleep_ = true;
    return false;
  }
  switch (stage_) {
    case Stage::kInspect:
      inspect_all(*state.group, skipped);
      return false;
    case Stage::kRepair:
      return repair_one(*state.group);
    case Stage::kLinks:
      repair_links(*state.group);
      return false;
    case Stage::kDone:
      return false;
  }
  return false;
}

void Repair::inspect_all(const model::VolumeGroup& group, const Names& skipped) {
  activate_ = !activated_.is_set(group.id);
  // Volumes by finding and advice.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> to_report;
  for (const model::LogicalVolume& lv : group.logical_volumes) {
    if (skipped.contains(lv.name)) continue;
    for (const Finding& finding : inspect(lv, executor_.path(lv.name), activate_)) {
      if (!finding.repair)
        to_report[{finding.what, finding.advice}].push_back(lv.name);
      else if (waiting_.empty() || waiting_.back() != lv.id)
        waiting_.push_back(lv.id);
    }
  }
  for (const auto& [finding, names] : to_report)
    log::warning(
        fmt::format("volume group {}: each of these volumes {}: {}. lvmd does not change this, "
                    "because it may be intended. If it is not, run `{} {}/NAME`",
                    volume_group_, finding.first, listed(names), finding.second, volume_group_),
        {{log::kVg, volume_group_}, {log::kLv, names.front()}});
  stage_ = Stage::kRepair;
  links_due_ = Clock::now() + kLinkWait;
}

bool Repair::repair_one(const model::VolumeGroup& group) {
  if (waiting_.empty()) {
    if (activate_)
      if (auto set = activated_.set(group.id); !set)
        log::warning(fmt::format("{}: the next worker activates the volumes of {} again",
                                 set.error().message, volume_group_),
                     {{log::kVg, volume_group_}});
    stage_ = without_link(group).empty() ? Stage::kDone : Stage::kLinks;
    return std::exchange(changed_, false);
  }
  const std::string id = std::move(waiting_.front());
  waiting_.pop_front();
  const auto lv = std::ranges::find(group.logical_volumes, id, &model::LogicalVolume::id);
  if (lv == group.logical_volumes.end()) return false;
  // Inspected again, because another program may have repaired the volume.
  for (const Finding& finding : inspect(*lv, executor_.path(lv->name), activate_)) {
    if (!finding.repair) continue;
    const auto repaired = executor_.run(*finding.repair);
    changed_ = true;
    log::write(repaired ? log::Priority::kNotice : log::Priority::kWarning,
               fmt::format("{} {}: {}", executor_.path(lv->name), finding.what,
                           repaired ? "repaired" : repaired.error().message),
               {{log::kVg, volume_group_}, {log::kLv, lv->name}});
    break;
  }
  return false;
}

void Repair::repair_links(const model::VolumeGroup& group) {
  if (Clock::now() < links_due_) return;
  stage_ = Stage::kDone;
  const std::vector<std::string> names = without_link(group);
  if (names.empty()) return;
  const auto made = executor_.run(lvm::LvmCommand{"vgmknodes"}.operand(volume_group_));
  log::write(
      made ? log::Priority::kNotice : log::Priority::kWarning,
      fmt::format("volume group {}: these volumes have no link in /dev: {}: {}", volume_group_,
                  listed(names), made ? "created the links" : made.error().message),
      {{log::kVg, volume_group_}, {log::kLv, names.front()}});
}

}  // namespace lvmd::volumes::worker
