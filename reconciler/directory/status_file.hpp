// Status as files for people and scripts. Rules: R-STAT-*.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/directory/manifest.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::directory {

// "data.status.yaml" [R-STAT-1].
[[nodiscard]] std::string status_file_name(const Key& key);

// The inverse. Absent: not the name of an object's status.
[[nodiscard]] std::optional<Key> key_of_status_file(std::string_view name);

// [R-STAT-2]
[[nodiscard]] std::string format_status(const Key& key, const std::string& uid,
                                        const VolumeStatus& status);
[[nodiscard]] Result<VolumeStatus> parse_status(const std::string& text);

inline constexpr const char* kFolderStatusFile = "_folder.status.yaml";

// Why missing documents do not count now, and which files are unusable [R-STAT-4].
struct FolderStatus {
  std::string distrust{};  // empty: trusted
  std::vector<FileProblem> problems{};

  friend bool operator==(const FolderStatus&, const FolderStatus&) = default;
};

[[nodiscard]] std::string format_folder_status(const FolderStatus& status);

}  // namespace lvmd::reconciler::directory
