// The interface to the store of SnapshotBackupStorage objects.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/backup_location.hpp"

namespace lvmd::reconciler {

// Every function is safe from every thread.
class BackupLocationStore {
 public:
  using Changed = std::function<void()>;

  BackupLocationStore() = default;
  BackupLocationStore(const BackupLocationStore&) = delete;
  BackupLocationStore& operator=(const BackupLocationStore&) = delete;
  virtual ~BackupLocationStore() = default;

  // Begins to watch the locations. From then on, threads of the store call `changed` at least once
  // after the last change of any location. Call it once.
  virtual void start(Changed changed) = 0;

  // Ends at once what start() began, and every write in progress with kCancelled.
  virtual void stop() = 0;

  // This node's name, for a status.
  [[nodiscard]] virtual const std::string& node() const = 0;

  // The locations as last seen, by name.
  [[nodiscard]] virtual std::vector<BackupLocation> backup_locations() const = 0;

  // Returns the location after the write. Aborted: the location has changed, and nothing was
  // written. NotFound: the location was deleted, or its kind has no status.
  [[nodiscard]] virtual Result<BackupLocation> write_status(const BackupLocation& location,
                                                            const BackupLocationStatus& status) = 0;
};

}  // namespace lvmd::reconciler
