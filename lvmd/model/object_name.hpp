// Names of Kubernetes' objects. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace lvmd::model {

inline constexpr std::size_t kMaxObjectNameLength = 253;

// True for a DNS subdomain name (RFC 1123): the API server accepts only such names for Nodes,
// PersistentVolumes and CSIDrivers. Such a name is never "." or "..", and contains no '/'.
[[nodiscard]] bool is_object_name(std::string_view text);

}  // namespace lvmd::model
