// How CSI uses the volumes of this node, as lvmd reports it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lvmd::reconciler {

// A call of the CSI driver that failed and has not succeeded since.
struct FailedCall {
  // "NodeStageVolume".
  std::string call{};
  // As lvmd's reasons of errors: "MOUNT_BUSY".
  std::string reason{};
  std::string message{};

  friend bool operator==(const FailedCall&, const FailedCall&) = default;
};

struct VolumeUse {
  bool staged = false;
  // The number of pods that the volume is published to.
  std::uint32_t publications = 0;
  std::vector<FailedCall> failures{};

  friend bool operator==(const VolumeUse&, const VolumeUse&) = default;
};

struct VolumeUses {
  // The name of lvmd's CSI driver; empty: it has none.
  std::string csi_driver{};
  // By the volume's name. Other volumes are not in use.
  std::map<std::string, VolumeUse> volumes{};

  friend bool operator==(const VolumeUses&, const VolumeUses&) = default;
};

}  // namespace lvmd::reconciler
