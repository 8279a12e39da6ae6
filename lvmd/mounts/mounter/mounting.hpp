// Mounts one volume [P-MOUNT-1 to P-MOUNT-9].
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/csi_options.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/mounts/mounter/content.hpp"
#include "lvmd/mounts/mounter/directory.hpp"
#include "lvmd/mounts/mounter/volume.hpp"

namespace lvmd::mounts::mounter {

// The mount of the volume that a bind mount shows.
struct BindSource {
  // The name of the request's field, for messages.
  std::string_view field;
  std::string target;
  model::MountPlace place;
};

struct MountRequest {
  // The path in the caller's request.
  std::string target;
  model::MountPlace place;
  // kCreate or kCreateLast.
  Missing missing = Missing::kCreate;
  // Remove the directory when the mount fails.
  bool owns_directory = true;
  // A read-only volume is mounted read-only in any case.
  bool read_only = false;
  // Of a bind mount, only the required type is used.
  ContentSpec content{};
  // Check the file system before it is mounted (checking.hpp).
  bool check = false;
  model::CsiOptions options{};
  bool nosuid = true;
  bool nodev = true;
  // Another volume can have a file system with the same UUID, also if this one is no snapshot.
  bool duplicate_uuid = false;
  std::optional<BindSource> bind_from{};
};

// Mounts the volume and returns the mount, which may have existed before. Takes the lock of the
// volume unless it existed; the lock is held until `volume` is closed. Idempotent, as
// mount_volume().
[[nodiscard]] Result<internal::MountedVolume> mount_as_requested(const OpenVolume& volume,
                                                                 const MountRequest& request);

// Mounts the volume and returns the mount, which may have existed before. Idempotent: when the
// process is killed at any step, a repeated call continues from the mount table and the content of
// the volume [P-MOUNT-12].
[[nodiscard]] Result<internal::Mounts> mount_volume(const internal::MountVolume& job,
                                                    std::span<const std::string> roots);

}  // namespace lvmd::mounts::mounter
