// Reconciles every object of a store: workers, retries, and what wakes them. Level-based [R-RUN-1]:
// a change only names the object to reconcile.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "reconciler/app/metrics.hpp"
#include "reconciler/app/object_tracker.hpp"
#include "reconciler/app/provisioning_times.hpp"
#include "reconciler/app/reconciliation.hpp"
#include "reconciler/app/work_queue.hpp"
#include "reconciler/capacity/capacity_reporter.hpp"
#include "reconciler/csi/use_table.hpp"
#include "reconciler/csi/use_watcher.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/lvmd_client/volume_use_service.hpp"
#include "reconciler/model/volume_store.hpp"
#include "reconciler/orphans/orphan_detector.hpp"
#include "reconciler/snapshots/backup_location_controller.hpp"
#include "reconciler/snapshots/transfer_watcher.hpp"

namespace lvmd::reconciler {

// Level-based [R-RUN-1]: a change only names the object to reconcile.
class Controller {
 public:
  // All references must outlive the controller. Without `uses`, no CSI status is written.
  Controller(VolumeStore& store, VolumeService& service, Mode mode = Mode::kAct,
             OrphanOptions orphans = {}, OnlineServices online = {},
             VolumeUseService* uses = nullptr)
      : store_(store),
        service_(service),
        mode_(mode),
        orphan_options_(orphans),
        online_(online),
        use_service_(uses) {}
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;
  ~Controller() { stop(); }

  // Starts the store and the workers. Call it once.
  [[nodiscard]] Status start();

  // For probes and metrics; safe from every thread [R-SERVE-3, R-SERVE-4].
  [[nodiscard]] bool is_store_ready() const { return store_.is_ready(); }
  [[nodiscard]] bool is_lvmd_connected() const { return capacity_ && capacity_->is_connected(); }
  [[nodiscard]] std::string metrics() const;
  // Volumes without an object, and objects without their volume, as text for a person [R-LEDG-4].
  [[nodiscard]] std::string orphans() const;

  // Ends everything, including calls in progress, and waits for the end. Idempotent [R-CLI-22].
  void stop();

 private:
  void changed(const Key& key);
  void wake_dependents(const Key& source);
  void wake_used(const UseTable::Changes& changes);
  void work();
  void reconcile(const Key& key);
  void schedule(const Reconciliation& reconciliation);
  void forget(const Key& key);
  [[nodiscard]] bool still_exists(const LogicalVolume& shown);

  VolumeStore& store_;
  VolumeService& service_;
  const Mode mode_;
  const OrphanOptions orphan_options_;
  const OnlineServices online_;
  VolumeUseService* const use_service_;
  UseTable uses_;
  WorkQueue queue_;
  std::stop_source stop_;
  ObjectTracker tracker_;
  ProvisioningTimes times_;
  Metrics metrics_;
  std::optional<CapacityReporter> capacity_;
  std::optional<OrphanDetector> orphans_;
  std::optional<TransferWatcher> transfers_;
  std::optional<BackupLocationController> backup_locations_;
  std::optional<UseWatcher> use_watcher_;
  // Last: joined first.
  std::vector<std::jthread> workers_;
};

}  // namespace lvmd::reconciler
