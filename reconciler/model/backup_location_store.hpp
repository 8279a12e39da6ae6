// The seam to the place where SnapshotBackupStorage objects live.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/backup_location.hpp"

namespace lvmd::reconciler {

// Every function may be called from every thread.
class StorageStore {
 public:
  using Changed = std::function<void()>;

  StorageStore() = default;
  StorageStore(const StorageStore&) = delete;
  StorageStore& operator=(const StorageStore&) = delete;
  virtual ~StorageStore() = default;

  // Begins to follow the storages. From then on `changed` is called, on threads of the store, at
  // least once after the last change of any. Call once.
  virtual void start(Changed changed) = 0;

  // Ends what start() began and every write under way, at once; they answer kCancelled.
  virtual void stop() = 0;

  // This node, as it stands in a status.
  [[nodiscard]] virtual const std::string& node() const = 0;

  // As they were last seen, by name.
  [[nodiscard]] virtual std::vector<BackupStorage> storages() const = 0;

  // Answers the storage as it is afterwards. Aborted: it is not `storage` any more, and nothing was
  // written. NotFound: it is gone, or its kind has no status.
  [[nodiscard]] virtual Result<BackupStorage> write_status(const BackupStorage& storage,
                                                           const StorageStatus& status) = 0;
};

}  // namespace lvmd::reconciler
