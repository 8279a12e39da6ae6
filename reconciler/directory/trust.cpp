#include "reconciler/directory/trust.hpp"

#include <fmt/format.h>

namespace lvmd::reconciler::directory {
namespace {

// A folder with one object becomes empty when its manifest is removed. When several objects
// disappear at once and nothing is left, a mistake is more likely.
constexpr std::size_t kSuddenly = 2;

std::string describe(const FolderIdentity& identity) {
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  std::string which = fmt::format("device {}, inode {}", identity.device, identity.inode);
  if (identity.born == 0) return which;
  return fmt::format("{}, created at {}.{:09} s", which, identity.born / kNanoseconds,
                     identity.born % kNanoseconds);
}

}  // namespace

std::string Trust::judge(const FolderReading& reading, std::size_t objects) {
  if (reading.unreadable) return reading.unreadable->message;
  const bool empty = reading.file_count == 0;
  if (!empty) last_objects_ = objects;
  if (!is_same_folder(reading.identity, recorded_))
    return fmt::format(
        "folder {} is another directory than at the first start: it is {}, and was {}. Mount the "
        "right one; or, to accept this one, check that it is complete, stop the reconciler, remove "
        "_folder.record.yaml from the state directory, and start the reconciler",
        path_, describe(reading.identity), describe(recorded_));
  if (!reading.has_marker)
    return fmt::format(
        "folder {} has no marker file any more: check that the folder is complete, then create "
        "{}/{}",
        path_, path_, kMarkerFile);
  if (empty && last_objects_ >= kSuddenly)
    return fmt::format(
        "folder {} is suddenly empty: {} objects disappeared at once. Restore them or, if that was "
        "intended, put a file ending in .yaml there; an empty file is enough",
        path_, last_objects_);
  return {};
}

}  // namespace lvmd::reconciler::directory
