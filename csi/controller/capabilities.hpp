// The field volume_capabilities of a request: how the volume is to be used. Pure. Rules: C-CAP-*.
#pragma once

#include <google/protobuf/repeated_ptr_field.h>

#include "csi/controller/api.hpp"
#include "lvmd/base/result.hpp"

namespace lvmd::controller {

using Capabilities = google::protobuf::RepeatedPtrField<api::VolumeCapability>;

// InvalidArgument, naming field and value, when a volume cannot be used in one of these ways, or
// not in all of them. A volume of lvmd can be used as a raw block device or with one file system,
// on its node only, by one pod or by several.
[[nodiscard]] Status check_capability(const api::VolumeCapability& capability);
[[nodiscard]] Status check_capabilities(const Capabilities& capabilities);

}  // namespace lvmd::controller
