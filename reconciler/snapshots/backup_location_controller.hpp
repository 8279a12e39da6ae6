// Checks whether backup locations can be used, and reports that in their status. Rules: R-STORE-*.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "reconciler/lvmd_client/transfer_service.hpp"
#include "reconciler/model/backoff.hpp"
#include "reconciler/model/backup_location_store.hpp"
#include "reconciler/model/snapshot_catalog.hpp"
#include "reconciler/snapshots/location_check.hpp"

namespace lvmd::reconciler {

class BackupLocationController {
 public:
  // All references must outlive the controller. It starts the store, and works on a thread of its
  // own until stop(), on one location at a time. `jitter` returns numbers in [0, 1).
  BackupLocationController(BackupLocationStore& store, SnapshotCatalog& catalog,
                           TransferService& transfers, double (*jitter)() = &random_jitter);
  BackupLocationController(const BackupLocationController&) = delete;
  BackupLocationController& operator=(const BackupLocationController&) = delete;
  ~BackupLocationController() { stop(); }

  // Stop catalog and transfers first, so that no call delays this. Idempotent.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;

  // What is kept of a location between two looks.
  struct Known {
    std::string uid;
    std::string resource_version;
    // The version that this node's last write replaced, and that the store may still show.
    std::string superseded;
    Clock::time_point since;
    unsigned failures = 0;
    double jitter = 0.5;
  };

  void work(const std::stop_token& stop);
  // Does for every location what is due. Returns the next due time, which is now after any action.
  [[nodiscard]] Clock::time_point process_all(const std::stop_token& stop);
  // Null while the store shows the version from before this node's write.
  [[nodiscard]] Known* recognise(const BackupLocation& location);
  void claim(const BackupLocation& location, Known& known);
  void check(const BackupLocation& location, Known& known, const std::stop_token& stop);
  [[nodiscard]] Result<Transfer> run_check(const BackupLocation& location);
  void write(const BackupLocation& location, const BackupLocationStatus& status, Known& known);

  BackupLocationStore& store_;
  SnapshotCatalog& catalog_;
  TransferService& transfers_;
  double (*const jitter_)();
  // By name. Only the worker's thread uses it.
  std::map<std::string, Known> known_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool is_changed_ = false;
  std::jthread worker_;
};

}  // namespace lvmd::reconciler
