// Creates file systems.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::probe {

// Creates a file system of one of the types in model::kFileSystems on a device. The caller must
// have checked that the device is blank. `uuid` is the UUID of the new file system in its usual
// text form; without it the program chooses a random one.
//
// FailedPrecondition, before anything is written, when the device is smaller than the minimum size
// of the type, and when the program is not installed. Internal, with the end of the program's
// output, when the program fails; the device is then made blank again, and Error::rollback reports
// when that fails too. Blocks the calling thread for as long as the program runs. The program
// continues when the calling process dies.
[[nodiscard]] Status make_filesystem(const std::string& device_path, std::string_view type,
                                     const std::optional<std::string>& uuid = std::nullopt);

}  // namespace lvmd::probe
