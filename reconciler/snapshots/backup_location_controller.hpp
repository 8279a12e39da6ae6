// Finds out whether storages can be used, and says so in their status. Rules: R-STORE-*.
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
  // All must outlive the keeper. Starts the store, and works on a thread of its own until stop();
  // one storage is checked at a time. `jitter` draws numbers in [0, 1).
  BackupLocationController(BackupLocationStore& store, SnapshotCatalog& catalog,
                           TransferService& transfers, double (*jitter)() = &random_jitter);
  BackupLocationController(const BackupLocationController&) = delete;
  BackupLocationController& operator=(const BackupLocationController&) = delete;
  ~BackupLocationController() { stop(); }

  // Catalog and transfers must have been stopped before, so that no call holds it up. Idempotent.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;

  // Of a storage, between two looks at it.
  struct Known {
    std::string uid;
    std::string resource_version;
    // What our own last write has changed, and the store may show for a while yet.
    std::string superseded;
    Clock::time_point since;
    unsigned failures = 0;
    double jitter = 0.5;
  };

  void work(const std::stop_token& stop);
  // Does what is due for every storage. Answers when something is due again; at once when it did
  // something.
  [[nodiscard]] Clock::time_point look_at_all(const std::stop_token& stop);
  // Null while the store shows what was before our own write.
  [[nodiscard]] Known* recognise(const BackupLocation& location);
  void claim(const BackupLocation& location, Known& known);
  void check(const BackupLocation& location, Known& known, const std::stop_token& stop);
  [[nodiscard]] Result<Transfer> ask(const BackupLocation& location);
  void write(const BackupLocation& location, const BackupLocationStatus& status, Known& known);

  BackupLocationStore& store_;
  SnapshotCatalog& catalog_;
  TransferService& transfers_;
  double (*const jitter_)();
  // The worker's alone; by name.
  std::map<std::string, Known> known_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool news_ = false;
  std::jthread worker_;
};

}  // namespace lvmd::reconciler
