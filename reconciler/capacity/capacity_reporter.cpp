#include "reconciler/capacity/capacity_reporter.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/model/backoff.hpp"

namespace lvmd::reconciler {
namespace {

// The socket is on this host, so an attempt costs little.
constexpr Pace kToLvmd{.longest = std::chrono::seconds{5}};

}  // namespace

CapacityReporter::CapacityReporter(VolumeStore& store, VolumeService& service, Mode mode,
                                   std::chrono::milliseconds quiet,
                                   std::chrono::milliseconds look_again)
    : store_(store),
      service_(service),
      mode_(mode),
      quiet_(quiet),
      look_again_(look_again),
      watcher_([this](const std::stop_token& stop) { watch(stop); }),
      publisher_([this](const std::stop_token& stop) { publish(stop); }) {}

void CapacityReporter::stop() {
  watcher_.request_stop();
  publisher_.request_stop();
  if (watcher_.joinable()) watcher_.join();
  if (publisher_.joinable()) publisher_.join();
}

// lvmd sends the newest state to clients that read, so the reading never waits for the store.
void CapacityReporter::watch(const std::stop_token& stop) {
  unsigned failures = 0;
  while (!stop.stop_requested()) {
    const Status ended = service_.watch([&](const Capacity& capacity) {
      connected_ = true;
      if (std::exchange(failures, 0U) > 0) log::notice("lvmd reports its capacity again");
      const std::lock_guard lock{mutex_};
      pending_ = capacity;
      changed_.notify_all();
    });
    connected_ = false;
    // A stop of the service cancels this call and all later ones.
    if (stop.stop_requested() || (!ended && ended.error().code == Code::kCancelled)) return;
    if (failures++ == 0)
      log::warning(
          fmt::format("lvmd does not report its capacity, the last one stays published: {}",
                      ended ? std::string{"lvmd ended the watch"} : describe(ended.error())));
    pause(stop, retry_after(failures, random_jitter(), kToLvmd));
  }
}

bool CapacityReporter::await(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
  const auto has_pending = [this] { return pending_.has_value(); };
  if (!published_) return changed_.wait(lock, stop, has_pending);
  if (!changed_.wait_for(lock, stop, look_again_, has_pending)) pending_ = published_;
  return true;
}

void CapacityReporter::publish(const std::stop_token& stop) {
  unsigned failures = 0;
  std::unique_lock lock{mutex_};
  while (await(lock, stop) && !stop.stop_requested()) {
    const Capacity capacity = *std::exchange(pending_, std::nullopt);
    published_ = capacity;
    lock.unlock();
    const Status published = mode_ == Mode::kAct ? store_.publish(capacity) : Status{};
    if (!published && !stop.stop_requested() && failures == 0)
      log::warning(fmt::format("the node's capacity cannot be published, trying again: {}",
                               describe(published.error())));
    if (published && failures > 0) log::notice("the node's capacity is published again");
    failures = published ? 0 : failures + 1;
    pause(stop, published ? quiet_ : retry_after(failures, random_jitter()));
    lock.lock();
    if (!published && !pending_) pending_ = capacity;
  }
}

}  // namespace lvmd::reconciler
