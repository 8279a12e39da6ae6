// Writes the capacity that lvmd's Watch reports to the store. Rules: R-CAP-*.
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
  // Changes within this time are one write [R-CAP-3].
  static constexpr std::chrono::milliseconds kQuiet{1000};
  // After this time, the written capacity may be gone from the store [R-CAP-5].
  static constexpr std::chrono::milliseconds kLookAgain{10'000};

  // Store and service must outlive the reporter. It works on threads of its own until stop(). A dry
  // run publishes nothing.
  CapacityReporter(VolumeStore& store, VolumeService& service, Mode mode = Mode::kAct,
                   std::chrono::milliseconds quiet = kQuiet,
                   std::chrono::milliseconds look_again = kLookAgain);
  CapacityReporter(const CapacityReporter&) = delete;
  CapacityReporter& operator=(const CapacityReporter&) = delete;
  ~CapacityReporter() { stop(); }

  // lvmd has reported its capacity, and the watch is open. Safe from every thread.
  [[nodiscard]] bool is_connected() const { return connected_; }

  // Stop store and service first, so that no call delays this. Idempotent.
  void stop();

 private:
  void watch(const std::stop_token& stop);
  void publish(const std::stop_token& stop);
  // True when there is something to publish, and possibly on a stop. Needs the lock.
  [[nodiscard]] bool await(std::unique_lock<std::mutex>& lock, const std::stop_token& stop);

  VolumeStore& store_;
  VolumeService& service_;
  const Mode mode_;
  const std::chrono::milliseconds quiet_;
  const std::chrono::milliseconds look_again_;
  std::atomic<bool> connected_ = false;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  // Received and not published yet.
  std::optional<Capacity> pending_;
  // The last published capacity. Only the publisher's thread uses it.
  std::optional<Capacity> published_;
  std::jthread watcher_;
  std::jthread publisher_;
};

}  // namespace lvmd::reconciler
