#include "reconciler/volumes/step_kind.hpp"

#include <type_traits>
#include <variant>

namespace lvmd::reconciler {

bool is_about_the_volume(const Step& step) {
  return std::visit(
      []<typename S>(const S&) {
        return std::is_same_v<S, FindClasses> || std::is_same_v<S, LookUp> ||
               std::is_same_v<S, Unmet> || std::is_same_v<S, Create> ||
               std::is_same_v<S, CreateSnapshot> || std::is_same_v<S, Resize> ||
               std::is_same_v<S, Remove> || std::is_same_v<S, ClearOwner>;
      },
      step);
}

bool is_about_the_transfer(const Step& step) {
  return std::visit(
      []<typename S>(const S&) {
        return std::is_same_v<S, FindSnapshotClass> || std::is_same_v<S, FindPersistentVolume> ||
               std::is_same_v<S, FindBackupLocation> || std::is_same_v<S, TransferUnmet> ||
               std::is_same_v<S, StartBackup> || std::is_same_v<S, StartRestore> ||
               std::is_same_v<S, DeleteBackup> || std::is_same_v<S, FollowTransfer> ||
               std::is_same_v<S, CancelTransfer> || std::is_same_v<S, RemoveSnapshotVolume>;
      },
      step);
}

bool only_looks(const Step& step) {
  return std::visit(
      []<typename S>(const S&) {
        return std::is_same_v<S, FindClasses> || std::is_same_v<S, LookUp> ||
               std::is_same_v<S, FindSource> || std::is_same_v<S, Unmet> ||
               std::is_same_v<S, FindSnapshotClass> || std::is_same_v<S, FindPersistentVolume> ||
               std::is_same_v<S, FindBackupLocation> || std::is_same_v<S, TransferUnmet> ||
               std::is_same_v<S, FollowTransfer> || std::is_same_v<S, AwaitTransfer> ||
               std::is_same_v<S, AwaitRetry>;
      },
      step);
}

}  // namespace lvmd::reconciler
