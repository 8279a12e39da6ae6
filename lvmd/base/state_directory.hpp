// What lies where below lvmd's state directory: known to the worker, who writes, and to the
// supervisor, who looks before the first worker runs.
#pragma once

#include <filesystem>
#include <string_view>

namespace lvmd {

// The open intents of a volume group about volumes that nobody may see yet: one file each, of the
// volume's name.
[[nodiscard]] inline std::filesystem::path intents_of_new_volumes(
    const std::filesystem::path& state_directory, std::string_view volume_group) {
  return state_directory / "intents" / volume_group / "new";
}

// The same about volumes that anybody may see.
[[nodiscard]] inline std::filesystem::path intents_of_present_volumes(
    const std::filesystem::path& state_directory, std::string_view volume_group) {
  return state_directory / "intents" / volume_group / "present";
}

// While a record is being written it has this name, which no volume can have.
inline constexpr std::string_view kUnfinishedIntent = "#unfinished";

}  // namespace lvmd
