// The paths at which kubelet asks a CSI driver to mount volumes. Pure.
//
// kubelet forms these paths itself (pkg/volume/csi in the sources of Kubernetes). Only exactly
// these forms are accepted, so no call can name another directory of the host. lvmd's processes
// exchange the parts that differ, never a path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/mount_rules.hpp"

namespace lvmd::model {

// Where kubelet's paths begin.
struct KubeletRoot {
  // kubelet's --root-dir. Below a root that is not a plain path nothing is accepted. Paths are
  // compared with it as text, because kubelet does not resolve its links either.
  std::string path;
  // The name of the CSI driver, which is a part of some paths.
  std::string driver;
};

enum class TargetKind : std::uint8_t {
  // The directory where a file system is mounted once for all pods.
  kStaging,
  // The directory for the staging of a raw block volume.
  kBlockStaging,
  // The directory where the file system is mounted for one pod.
  kPodMount,
  // The file that becomes the device for one pod.
  kPodDevice,
};

struct KubeletTarget {
  TargetKind kind = TargetKind::kStaging;
  // kStaging: a hash of the volume's handle. Otherwise the name of the PersistentVolume.
  std::string volume;
  // The UID of the pod. Empty for the two kinds of staging.
  std::string pod{};

  friend bool operator==(const KubeletTarget&, const KubeletTarget&) = default;
};

// Returns the target at `path`. InvalidArgument, naming `field`, the path and the accepted forms,
// for any other path.
[[nodiscard]] Result<KubeletTarget> parse_kubelet_target(std::string_view field,
                                                         std::string_view path,
                                                         const KubeletRoot& root);

// Checks the parts of a target that another process sent. InvalidArgument, naming the part.
[[nodiscard]] Status check_kubelet_target(const KubeletTarget& target);

// The place of a valid target: parse_kubelet_target() returns the same target for its path.
[[nodiscard]] MountPlace place_of(const KubeletTarget& target, const KubeletRoot& root);

// True if the driver creates the target's directory or file, and removes it. kubelet does so for
// the other kinds.
[[nodiscard]] constexpr bool is_made_by_driver(TargetKind kind) {
  return kind == TargetKind::kPodMount || kind == TargetKind::kPodDevice;
}

// If kubelet itself mounts a published device at `path`, returns the target (kPodDevice) of that
// device. kubelet uses the path only to ask for a volume's usage. Absent for any other path, also
// for the path of a target.
[[nodiscard]] std::optional<KubeletTarget> published_device(std::string_view path,
                                                            const KubeletRoot& root);

}  // namespace lvmd::model
