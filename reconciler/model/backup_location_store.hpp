// The seam to the place where SnapshotBackupStorage objects live.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/backup_location.hpp"

namespace lvmd::reconciler {

// Every function may be called from every thread.
class BackupLocationStore {
 public:
  using Changed = std::function<void()>;

  BackupLocationStore() = default;
  BackupLocationStore(const BackupLocationStore&) = delete;
  BackupLocationStore& operator=(const BackupLocationStore&) = delete;
  virtual ~BackupLocationStore() = default;

  // Begins to follow the storages. From then on `changed` is called, on threads of the store, at
  // least once after the last change of any. Call once.
  virtual void start(Changed changed) = 0;

  // Ends what start() began and every write under way, at once; they answer kCancelled.
  virtual void stop() = 0;

  // This node, as it stands in a status.
  [[nodiscard]] virtual const std::string& node() const = 0;

  // As they were last seen, by name.
  [[nodiscard]] virtual std::vector<BackupLocation> backup_locations() const = 0;

  // Answers the storage as it is afterwards. Aborted: it is not `storage` any more, and nothing was
  // written. NotFound: it is gone, or its kind has no status.
  [[nodiscard]] virtual Result<BackupLocation> write_status(const BackupLocation& location,
                                                            const BackupLocationStatus& status) = 0;
};

}  // namespace lvmd::reconciler
