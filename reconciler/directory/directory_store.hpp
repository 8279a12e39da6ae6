// Objects from a folder of manifests. Rules: docs/reconciler.md, section 7.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/snapshot_catalog.hpp"
#include "reconciler/model/volume_store.hpp"

namespace lvmd::reconciler::directory {

struct DirectoryOptions {
  std::filesystem::path folder;
  std::filesystem::path state_directory;
  std::chrono::milliseconds delete_after{60'000};
  std::string node_name;
};

class DirectoryStore : public VolumeStore {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Now = std::function<Time()>;

  // Locks and reads the state directory. The first start records the folder as the one that the
  // volumes belong to. The error names the obstacle [R-DIR-4, R-REC-6].
  [[nodiscard]] static Result<std::unique_ptr<DirectoryStore>> open(
      DirectoryOptions options, Now now = std::chrono::steady_clock::now);

  // Reads the folder once. Returns the objects that changed. start() calls this when it is due.
  [[nodiscard]] virtual std::vector<Key> poll() = 0;

  // When to call poll() even if the folder does not change: the time of a missing manifest is over
  // then.
  [[nodiscard]] virtual Time next_due() const = 0;
};

// The manifests contain what the kube store finds in classes, PersistentVolumes and
// SnapshotBackupStorages [R-ONLINE-12]: spec.backup is the class, every PersistentVolume exists and
// has no claim, and open_location() reads the files that the LocationName names.
[[nodiscard]] std::unique_ptr<SnapshotCatalog> make_snapshot_catalog();

}  // namespace lvmd::reconciler::directory
