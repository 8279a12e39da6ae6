#pragma once

#include <filesystem>

#include "lvmd/base/result.hpp"
#include "reconciler/directory/folder.hpp"
#include "reconciler/directory/state_directory.hpp"

namespace lvmd::reconciler::directory {

// Creates the marker in `folder` and records the folder's identity. The error says what to do
// [R-DIR-4].
[[nodiscard]] Result<FolderIdentity> first_start(const std::filesystem::path& folder,
                                                 const StateDirectory& state);

// InvalidArgument when the two are the same directory [R-DIR-9].
[[nodiscard]] Status check_apart(const std::filesystem::path& folder,
                                 const std::filesystem::path& state_directory);

}  // namespace lvmd::reconciler::directory
