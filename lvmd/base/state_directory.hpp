// Paths below lvmd's state directory. The worker writes these files; the supervisor reads the names
// before it starts the first worker.
#pragma once

#include <filesystem>
#include <string_view>

namespace lvmd {

// The folder of the open intents of a volume group for new volumes, which are hidden from callers
// [P-INTENT-1]. Each file has the name of its volume.
[[nodiscard]] inline std::filesystem::path intents_of_new_volumes(
    const std::filesystem::path& state_directory, std::string_view volume_group) {
  return state_directory / "intents" / volume_group / "new";
}

// The folder of the open intents for existing volumes, which callers can see.
[[nodiscard]] inline std::filesystem::path intents_of_present_volumes(
    const std::filesystem::path& state_directory, std::string_view volume_group) {
  return state_directory / "intents" / volume_group / "present";
}

// The name of a record that is not completely written. No volume can have this name.
inline constexpr std::string_view kUnfinishedIntent = "#unfinished";

}  // namespace lvmd
