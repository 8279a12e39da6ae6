#include "reconciler/directory/first_start.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "lvmd/base/log.hpp"

namespace lvmd::reconciler::directory {

Result<FolderIdentity> first_start(const std::filesystem::path& folder,
                                   const StateDirectory& state) {
  const FolderReading reading = read_folder(folder);
  if (reading.unreadable)
    return fail(reading.unreadable->code, "{}: create it, or mount it, before the first start",
                reading.unreadable->message);
  if (auto made = make_marker(folder); !made)
    return fail(made.error().code,
                "{}: give the reconciler write access once, or create that file yourself",
                made.error().message);
  // On an overlay, the marker can have created the folder itself.
  const FolderReading has_metadata = read_folder(folder);
  if (has_metadata.unreadable) return std::unexpected(*has_metadata.unreadable);
  if (auto saved = state.save_folder_record(has_metadata.identity); !saved)
    return std::unexpected(std::move(saved.error()));
  log::notice(fmt::format("first start: manifests are read from {}", folder.native()));
  return has_metadata.identity;
}

Status check_apart(const std::filesystem::path& folder,
                   const std::filesystem::path& state_directory) {
  std::error_code error;
  // A missing folder is equal to no other folder: an error means "no".
  if (std::filesystem::equivalent(folder, state_directory, error))
    return fail(Code::kInvalidArgument, "--manifests and --state-dir are the same directory, {}",
                folder.native());
  return {};
}

}  // namespace lvmd::reconciler::directory
