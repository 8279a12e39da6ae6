// Making a file system.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::probe {

// Makes a file system of a type that model::kFileSystems has, on a device that the caller knows to
// hold nothing. `uuid`: the one it gets, in its usual form; otherwise a random one.
//
// Internal, with the last words of the program, when it fails; FailedPrecondition when the volume
// is smaller than the file system can be. Then the device is blank again as far as that can be
// done. Blocks for as long as the device takes; a program that runs when the caller dies goes on.
[[nodiscard]] Status make_filesystem(const std::string& device_path, std::string_view type,
                                     const std::optional<std::string>& uuid = std::nullopt);

}  // namespace lvmd::probe
