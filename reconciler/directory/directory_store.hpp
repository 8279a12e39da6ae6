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

  // Locks and reads the state directory; at the first start takes the folder down as the one that
  // the volumes belong to. The error names what is in the way [R-DIR-4, R-REC-6].
  [[nodiscard]] static Result<std::unique_ptr<DirectoryStore>> open(
      DirectoryOptions options, Now now = std::chrono::steady_clock::now);

  // Reads the folder once and answers the objects for which that changed anything. start() does
  // this whenever it is due.
  [[nodiscard]] virtual std::vector<Key> poll() = 0;

  // When poll() has to be called even if the folder doesn't change: a missing manifest's time is
  // up.
  [[nodiscard]] virtual Time next_due() const = 0;
};

// spec.backup is the class; every PersistentVolume is there, and of no claim; the files that
// LocationName has are read for each open_storage().
[[nodiscard]] std::unique_ptr<SnapshotCatalog> make_snapshot_catalog();

}  // namespace lvmd::reconciler::directory
