// The rules for a change that need neither the volume group's state nor a device. The server
// applies them to the call, and the worker, which does not trust the server, to what it is sent.
// Errors name field, value and rule. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::model {

// Only thin classes have snapshots [P-SNAP-1].
[[nodiscard]] Status check_snapshot_class(const DeviceClass& device_class);
// The caller's tags for a new volume, each once [P-NAME-4, P-NAME-5, P-NAME-6].
[[nodiscard]] Result<std::vector<std::string>> distinct_tags(const std::vector<std::string>& tags);
// "" is no option class [P-CLASS-6].
[[nodiscard]] Status check_option_class(const ClassCatalog& catalog, const std::string& name);
// [P-SNAP-2]
[[nodiscard]] Status check_access_type(const std::string& access_type);
// Sizes have the type of TopoLVM's field [P-SIZE-1].
[[nodiscard]] Status check_size(std::int64_t size);
// The size of a new volume [P-SIZE-1, P-SIZE-2, P-SIZE-3].
[[nodiscard]] Status check_create_size(const DeviceClass& device_class, std::int64_t size);

}  // namespace lvmd::model
