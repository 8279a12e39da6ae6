#include "lvmd/volumes/observer/observation.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/state/pool_monitoring.hpp"

namespace lvmd::volumes::observer {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// A change causes several events: read after kQuiet without an event, but not later than
// kLongestBurst.
constexpr auto kQuiet = 20ms;
constexpr auto kLongestBurst = 200ms;
// While a worker makes changes. A change by another program must be detected within 1 s [P-RUN-3].
constexpr auto kPostponement = 500ms;
constexpr auto kLongestPostponement = 700ms;
constexpr auto kDiscoveryInterval = 500ms;
// After a query that LVM did not answer in time.
constexpr auto kDiscoveryRetry = 1s;
constexpr auto kReportRetry = 10s;

bool has_same_devices(const std::optional<Result<model::VolumeGroup>>& before,
                      const std::optional<Result<model::VolumeGroup>>& now) {
  return before && *before && now && *now &&
         (*before)->physical_volumes == (*now)->physical_volumes;
}

}  // namespace

Observation::Observation(std::string volume_group, std::string lvm_path)
    : name_(std::move(volume_group)),
      reader_(name_, std::move(lvm_path), metadata::Copies::kVerify) {}

void Observation::set_access(Result<model::VgAccess> access, Clock::time_point now) {
  pv_numbers_.clear();
  monitoring_.forget_pools();
  has_duplicates_ = !access && access.error().code == Code::kFailedPrecondition;
  if (access) {
    access_ = std::move(*access);
    unavailable_.reset();
    for (const std::string& path : access_.devices)
      if (struct stat status{}; ::stat(path.c_str(), &status) == 0)
        pv_numbers_.insert(status.st_rdev);
  } else {
    if (!access_.devices.empty()) access_before_ = std::move(access_);
    // After a timeout a device may hang, so it must not be read.
    may_be_renamed_ = access.error().code != Code::kDeadlineExceeded;
    if (access.error().code == Code::kDeadlineExceeded) discovery_due_ = now + kDiscoveryRetry;
    access.error().code = Code::kUnavailable;
    access_ = {};
    unavailable_ = std::move(access.error());
  }
  mark_unread(now);
}

void Observation::mark_changed(Clock::time_point now) {
  mark_unread(now);
  monitoring_.group_changed(now);
}

void Observation::mark_unread(Clock::time_point now) {
  if (!due_) first_mark_ = now;
  due_ = std::min(now + kQuiet, first_mark_ + kLongestBurst);
}

void Observation::postpone(Clock::time_point now) { postponed_until_ = now + kPostponement; }

std::optional<Clock::time_point> Observation::due() const {
  if (!due_) return std::nullopt;
  return std::max(*due_, std::min(postponed_until_, first_mark_ + kLongestPostponement));
}

void Observation::set_unmonitored(const Result<std::vector<std::string>>& pools,
                                  Clock::time_point now) {
  if (!pools)
    log::warning(fmt::format("cannot query which pools of volume group {} dmeventd monitors: {}",
                             name_, pools.error().message),
                 {{log::kVg, name_}});
  // The group has not changed, so the answer to a query causes no other query.
  if (monitoring_.set_answer(pools, now)) mark_unread(now);
}

std::optional<model::VgState> Observation::news(model::VgState state) {
  if (last_ && *last_ == state.group) return std::nullopt;
  last_ = state.group;
  return state;
}

std::optional<model::VgState> Observation::read(Clock::time_point now,
                                                const std::function<void()>& before_report) {
  due_.reset();
  if (unavailable_) {
    if (std::exchange(may_be_renamed_, false) && !access_before_.devices.empty())
      reader_.look_for_new_name(access_before_, *unavailable_);
    return news(
        {.name = name_, .observed_at = monotonic_now(), .group = std::unexpected(*unavailable_)});
  }
  if (access_.devices.empty()) return std::nullopt;
  model::VgState state = reader_.read(access_, before_report);
  if (!state.group && reader_.report_failed() && last_ && last_->has_value()) {
    if (!std::exchange(stale_, true))
      log::warning(
          fmt::format("keeping the last state of volume group {}, trying again every {} s: {}",
                      name_, kReportRetry / 1s, state.group.error().message),
          {{log::kVg, name_}});
    due_ = first_mark_ = now + kReportRetry;
    return std::nullopt;
  }
  if (std::exchange(stale_, false))
    log::notice(fmt::format("the state of volume group {} can be read again", name_),
                {{log::kVg, name_}});
  if (state.group) {
    monitoring_.set_pools(state::active_pools(*state.group), now);
    state.group->unmonitored_pools = monitoring_.unmonitored();
  }
  const auto before = last_;
  auto changed = news(std::move(state));
  // Queries LVM only if the PVs have changed, so that a PV that stays missing causes no further
  // query.
  if (changed && !has_same_devices(before, last_)) mark_devices_changed(now);
  return changed;
}

void Observation::mark_devices_changed(Clock::time_point now) {
  // When a PV that is marked missing is back and has no outdated data, LVM accepts it.
  const bool misses_device =
      last_ && *last_ &&
      std::ranges::any_of((*last_)->physical_volumes, &model::PhysicalVolume::missing);
  const bool in_doubt = unavailable_.has_value() || reader_.devices_incomplete() || misses_device ||
                        (last_ && !last_->has_value());
  if (in_doubt) request_discovery(now);
}

void Observation::request_discovery(Clock::time_point now) {
  if (discovery_due_) return;
  discovery_due_ = std::max(now + kQuiet, last_discovery_ + kDiscoveryInterval);
}

void Observation::discovery_begun(Clock::time_point now) {
  discovery_due_.reset();
  last_discovery_ = now;
}

bool Observation::has_device(dev_t device) const {
  if (pv_numbers_.contains(device)) return true;
  return last_ && *last_ &&
         std::ranges::any_of((*last_)->logical_volumes, [device](const model::LogicalVolume& lv) {
           return lv.device && makedev(lv.device->major, lv.device->minor) == device;
         });
}

bool Observation::changes_silently() const {
  return last_ && *last_ &&
         std::ranges::any_of((*last_)->logical_volumes, [](const model::LogicalVolume& lv) {
           return lv.role == model::LvRole::kThinPool || lv.redundancy;
         });
}

void Observation::check_status(const PoolQuery& pools, const RedundancyQuery& redundancy,
                               Clock::time_point now) {
  if (last_ && *last_ && (usage_differs(**last_, pools) || redundancy_differs(**last_, redundancy)))
    mark_unread(now);
}

std::string Observation::id() const { return last_ && *last_ ? (*last_)->id : std::string{}; }

}  // namespace lvmd::volumes::observer
