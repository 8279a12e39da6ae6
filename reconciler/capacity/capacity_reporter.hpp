// From lvmd's Watch to the store: what the node can still give. Rules: R-CAP-*.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/volume_store.hpp"

namespace lvmd::reconciler {

class CapacityReporter {
 public:
  // A burst of changes is one write [R-CAP-3].
  static constexpr std::chrono::milliseconds kQuiet{1000};
  // The store may know by then that what was written is gone [R-CAP-5].
  static constexpr std::chrono::milliseconds kLookAgain{10'000};

  // Both must outlive the reporter. Works on threads of its own until stop(). A dry run publishes
  // nothing.
  CapacityReporter(VolumeStore& store, VolumeService& service, Mode mode = Mode::kAct,
                   std::chrono::milliseconds quiet = kQuiet,
                   std::chrono::milliseconds look_again = kLookAgain);
  CapacityReporter(const CapacityReporter&) = delete;
  CapacityReporter& operator=(const CapacityReporter&) = delete;
  ~CapacityReporter() { stop(); }

  // lvmd has told its capacity and goes on telling. Safe from every thread.
  [[nodiscard]] bool is_connected() const { return connected_; }

  // Store and service must have been stopped before, so that no call holds it up. Idempotent.
  void stop();

 private:
  void watch(const std::stop_token& stop);
  void publish(const std::stop_token& stop);
  // True when there is something to publish; also with a stop it may be. Needs the lock.
  [[nodiscard]] bool await(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

  VolumeStore& store_;
  VolumeService& service_;
  const Mode mode_;
  const std::chrono::milliseconds quiet_;
  const std::chrono::milliseconds look_again_;
  std::atomic<bool> connected_ = false;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  // Seen and not yet published.
  std::optional<Capacity> news_;
  // What was published last; only the publisher looks at it.
  std::optional<Capacity> told_;
  std::jthread watcher_;
  std::jthread publisher_;
};

}  // namespace lvmd::reconciler
