#include "lvmd/observer/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "internal/worker.pb.h"
#include "lvmd/base/log.hpp"

namespace lvmd::observer {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// A change makes several events: read when they have calmed down, but don't wait for ever.
constexpr auto kQuiet = 20ms;
constexpr auto kLongestBurst = 200ms;
constexpr auto kRefreshInterval = 500ms;
constexpr auto kReportRetry = 10s;

}  // namespace

Observation::Observation(std::string volume_group, std::string lvm_path)
    : name_(std::move(volume_group)), reader_(name_, std::move(lvm_path)) {}

void Observation::set_access(Result<model::VgAccess> access, Clock::time_point now) {
  if (access) {
    access_ = std::move(*access);
    unavailable_.reset();
  } else {
    access_ = {};
    unavailable_ = std::move(access.error());
  }
  mark_changed(now);
}

void Observation::mark_changed(Clock::time_point now) {
  if (!due_) first_mark_ = now;
  due_ = std::min(now + kQuiet, first_mark_ + kLongestBurst);
}

std::optional<model::VgState> Observation::read(Clock::time_point now) {
  due_.reset();
  if (unavailable_) {
    last_.reset();
    return std::nullopt;
  }
  if (access_.devices.empty()) return std::nullopt;
  model::VgState state = reader_.read(access_);
  if (!state.group && reader_.report_failed() && last_ && last_->has_value()) {
    if (!std::exchange(stale_, true))
      log::warning(
          fmt::format("the last state of volume group {} is kept, tried again every {} s: {}",
                      name_, kReportRetry / 1s, state.group.error().message),
          {{log::kVg, name_}});
    due_ = first_mark_ = now + kReportRetry;
    return std::nullopt;
  }
  if (std::exchange(stale_, false))
    log::notice(fmt::format("the state of volume group {} can be read again", name_),
                {{log::kVg, name_}});
  if (last_ && *last_ == state.group) return std::nullopt;
  last_ = state.group;
  // Only a state that is news leads to a question: a PV that stays away is not asked for for ever.
  mark_devices_changed(now);
  return state;
}

void Observation::mark_devices_changed(Clock::time_point now) {
  const bool in_doubt =
      unavailable_.has_value() || reader_.devices_incomplete() || (last_ && !last_->has_value());
  if (!in_doubt || refresh_due_) return;
  refresh_due_ = std::max(now + kQuiet, last_refresh_ + kRefreshInterval);
}

void Observation::refresh_devices(Clock::time_point now) {
  refresh_due_.reset();
  last_refresh_ = now;
  if (!worker_) return;
  if (!worker_.send(internal::RefreshDevices{})) detach();
}

bool Observation::has_pool() const {
  return last_ && *last_ &&
         std::ranges::any_of((*last_)->logical_volumes, [](const model::LogicalVolume& lv) {
           return lv.role == model::LvRole::kThinPool;
         });
}

void Observation::look_at_usage(const PoolLook& look, Clock::time_point now) {
  if (last_ && *last_ && usage_differs(**last_, look)) mark_changed(now);
}

std::string Observation::id() const { return last_ && *last_ ? (*last_)->id : std::string{}; }

}  // namespace lvmd::observer
