// When is a volume that exists the one that a request asks for? Rules P-IDEM.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// What a create or snapshot request amounts to, ready to be compared and to be written as tags.
struct VolumeSpec {
  const model::DeviceClass& device_class;
  // Size 0 agrees with every size (P-IDEM-5).
  model::Ownership ownership;
  std::vector<std::string> caller_tags;
  // What the class's words add to every volume, whoever asks: on the volume or not, as they may
  // have changed since.
  std::vector<std::string> configured_tags;
  // A mark, not compared [P-TAG-6]; empty: none.
  std::string owner{};
};

// Nothing when `existing` is identical to `spec`; AlreadyExists naming the first field that
// differs, its value and the volume's.
[[nodiscard]] Status check_identical(const model::LogicalVolume& existing, const VolumeSpec& spec);

}  // namespace lvmd::volumes::worker
