// Decides whether an existing volume is identical to the requested one. Rules P-IDEM.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// The volume that a create or snapshot request specifies, for comparison and for tags.
struct VolumeSpec {
  const model::DeviceClass& device_class;
  // Size 0 is identical to every size (P-IDEM-5).
  model::Ownership ownership;
  std::vector<std::string> caller_tags;
  // Tags from the configured lvcreate arguments of the class. The volume may have or lack them: the
  // configuration may have changed since its creation (P-IDEM-3).
  std::vector<std::string> configured_tags{};
  // Not compared [P-TAG-6].
  std::vector<std::string> marks{};
};

// Success if `existing` is identical to `spec`. Otherwise AlreadyExists with the first field that
// differs, the requested value and the volume's value.
[[nodiscard]] Status check_identical(const model::LogicalVolume& existing, const VolumeSpec& spec);

}  // namespace lvmd::volumes::worker
