// Compares volumes with objects at intervals. Rules: R-LEDG-*.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/volume_store.hpp"
#include "reconciler/orphans/orphan_tracker.hpp"

namespace lvmd::reconciler {

struct OrphanOptions {
  // How long a volume must have had no object before it is removed; absent: no volume is removed.
  std::optional<std::chrono::milliseconds> remove_after{};
  // Between two comparisons; shorter when `remove_after` is shorter.
  std::chrono::milliseconds every{30'000};
};

class OrphanDetector {
 public:
  // Store and service must outlive the detector. It works on a thread of its own until stop(). A
  // dry run removes nothing.
  OrphanDetector(VolumeStore& store, VolumeService& service, Mode mode, OrphanOptions options);
  OrphanDetector(const OrphanDetector&) = delete;
  OrphanDetector& operator=(const OrphanDetector&) = delete;
  ~OrphanDetector() { stop(); }

  // The numbers of the last comparison; absent before the first one, and while no comparison is
  // possible.
  struct Counts {
    std::size_t orphans = 0;
    std::size_t missing = 0;
  };
  [[nodiscard]] std::optional<Counts> counts() const;

  // One line for each orphan and for each object without its volume, for a person [R-LEDG-4].
  [[nodiscard]] std::string report() const;

  // Stop the service first, so that no call delays this. Idempotent.
  void stop();

 private:
  void work(const std::stop_token& stop);
  // Absent: the comparison is not possible now.
  [[nodiscard]] std::optional<OrphanTracker> compare(const std::stop_token& stop);
  void remove_orphans(OrphanTracker& orphans, const std::stop_token& stop);

  VolumeStore& store_;
  VolumeService& service_;
  const Mode mode_;
  const OrphanOptions options_;
  mutable std::mutex mutex_;
  std::optional<OrphanTracker> orphans_;
  std::jthread worker_;
};

}  // namespace lvmd::reconciler
