#include "reconciler/csi/use_watcher.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/model/backoff.hpp"

namespace lvmd::reconciler {
namespace {

// The socket is on this host, so an attempt costs little.
constexpr Pace kToLvmd{.longest = std::chrono::seconds{5}};
// An upgrade of lvmd brings the call.
constexpr std::chrono::seconds kAskAgain{60};

}  // namespace

UseWatcher::UseWatcher(VolumeUseService& service, UseTable& table, Changed changed)
    : service_(service),
      table_(table),
      changed_(std::move(changed)),
      thread_([this](const std::stop_token& stop) { watch(stop); }) {}

void UseWatcher::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void UseWatcher::watch(const std::stop_token& stop) {
  unsigned failures = 0;
  while (!stop.stop_requested()) {
    const Status ended = service_.watch([&](const VolumeUses& uses) {
      if (std::exchange(failures, 0U) > 0) log::notice("lvmd reports the use of volumes by CSI");
      changed_(table_.set(uses));
    });
    // A stop of the service cancels this call and all later ones.
    if (stop.stop_requested() || (!ended && ended.error().code == Code::kCancelled)) return;
    const bool is_missing = !ended && ended.error().code == Code::kUnimplemented;
    if (failures++ == 0)
      log::notice(fmt::format(
          "lvmd does not report the use of volumes by CSI, status.csiStatus stays as it is: {}",
          ended ? std::string{"lvmd ended the watch"} : describe(ended.error())));
    pause(stop, is_missing ? kAskAgain : retry_after(failures, random_jitter(), kToLvmd));
  }
}

}  // namespace lvmd::reconciler
