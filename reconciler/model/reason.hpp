// The reconciler's own reasons, in addition to lvmd's (lvmd/base/reason.hpp). In a condition each
// is in CamelCase. Their meaning: docs/reconciler.md, "Reasons".
#pragma once

#include <string_view>

namespace lvmd::reconciler::own_reason {

// For an Error.
inline constexpr std::string_view kLvmdUnreachable = "LVMD_UNREACHABLE";
inline constexpr std::string_view kForeignVolumeId = "FOREIGN_VOLUME_ID";
inline constexpr std::string_view kInvalidAccessType = "INVALID_ACCESS_TYPE";
inline constexpr std::string_view kInvalidSource = "INVALID_SOURCE";
inline constexpr std::string_view kNoSourceObject = "NO_SOURCE_OBJECT";
inline constexpr std::string_view kSourceNotReady = "SOURCE_NOT_READY";
inline constexpr std::string_view kSourceOnOtherNode = "SOURCE_ON_OTHER_NODE";
inline constexpr std::string_view kSmallerThanSource = "SMALLER_THAN_SOURCE";
inline constexpr std::string_view kNoClassInVg = "NO_CLASS_IN_VG";
inline constexpr std::string_view kAmbiguousVg = "AMBIGUOUS_VG";
inline constexpr std::string_view kClassNotUsable = "CLASS_NOT_USABLE";
inline constexpr std::string_view kLookUpFailed = "LOOK_UP_FAILED";
inline constexpr std::string_view kNoPersistentVolume = "NO_PERSISTENT_VOLUME";
inline constexpr std::string_view kNoClaim = "NO_CLAIM";
inline constexpr std::string_view kNoStorage = "NO_STORAGE";
inline constexpr std::string_view kInvalidStorage = "INVALID_STORAGE";
inline constexpr std::string_view kNoCredentials = "NO_CREDENTIALS";
inline constexpr std::string_view kForeignRepository = "FOREIGN_REPOSITORY";
inline constexpr std::string_view kSourceReplaced = "SOURCE_REPLACED";
inline constexpr std::string_view kSourceNotStored = "SOURCE_NOT_STORED";
inline constexpr std::string_view kRestoreUnknown = "RESTORE_UNKNOWN";
inline constexpr std::string_view kForeignSnapshot = "FOREIGN_SNAPSHOT";
inline constexpr std::string_view kOnlineSnapshotsOff = "ONLINE_SNAPSHOTS_OFF";

// For a condition that is not False.
inline constexpr std::string_view kProvisioned = "Provisioned";
inline constexpr std::string_view kSizeReached = "SizeReached";
inline constexpr std::string_view kPending = "Pending";
inline constexpr std::string_view kBackupRunning = "BackupRunning";
inline constexpr std::string_view kBackupSucceeded = "BackupSucceeded";
inline constexpr std::string_view kRestoreRunning = "RestoreRunning";
inline constexpr std::string_view kRestoreSucceeded = "RestoreSucceeded";
inline constexpr std::string_view kVolumeRemoved = "VolumeRemoved";
inline constexpr std::string_view kDeleteRunning = "SnapshotDeleteRunning";
inline constexpr std::string_view kDeleteSucceeded = "SnapshotDeleteSucceeded";

}  // namespace lvmd::reconciler::own_reason
