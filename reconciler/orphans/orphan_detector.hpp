// Looks from time to time whether volumes and objects still belong together. Rules: R-LEDG-*.
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
  // For so long a volume must have had no object before it is removed; absent: none is ever
  // removed.
  std::optional<std::chrono::milliseconds> remove_after{};
  // Between two looks; shorter when `remove_after` is.
  std::chrono::milliseconds every{30'000};
};

class OrphanDetector {
 public:
  // Both must outlive the keeper. Works on a thread of its own until stop(). A dry run removes
  // nothing.
  OrphanDetector(VolumeStore& store, VolumeService& service, Mode mode, OrphanOptions options);
  OrphanDetector(const OrphanDetector&) = delete;
  OrphanDetector& operator=(const OrphanDetector&) = delete;
  ~OrphanDetector() { stop(); }

  // Of the last look; absent before the first one, and while it can't be looked.
  struct Counts {
    std::size_t orphans = 0;
    std::size_t missing = 0;
  };
  [[nodiscard]] std::optional<Counts> counts() const;

  // For a person: each orphan and each object without its volume in a line [R-LEDG-4].
  [[nodiscard]] std::string report() const;

  // The service must have been stopped before, so that no call holds it up. Idempotent.
  void stop();

 private:
  void work(const std::stop_token& stop);
  // Absent: it can't be told now which volumes are whose.
  [[nodiscard]] std::optional<OrphanTracker> look(const std::stop_token& stop);
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
