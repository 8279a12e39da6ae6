// The reasons and metadata keys of google.rpc.ErrorInfo [P-CODE-20]. docs/protocol.md, "Reasons",
// defines them; the suite `lint` compares the two lists. The meaning of a reason never changes.
#pragma once

#include <string_view>

namespace lvmd::reason {

// The request itself is invalid.
inline constexpr std::string_view kInvalidName = "INVALID_NAME";
inline constexpr std::string_view kInvalidTag = "INVALID_TAG";
inline constexpr std::string_view kTooManyTags = "TOO_MANY_TAGS";
inline constexpr std::string_view kInvalidSize = "INVALID_SIZE";
inline constexpr std::string_view kInvalidAccessType = "INVALID_ACCESS_TYPE";
inline constexpr std::string_view kUnknownOptionClass = "UNKNOWN_OPTION_CLASS";
inline constexpr std::string_view kUnknownDeviceClass = "UNKNOWN_DEVICE_CLASS";
inline constexpr std::string_view kThickSnapshot = "THICK_SNAPSHOT";
inline constexpr std::string_view kInvalidTarget = "INVALID_TARGET";
inline constexpr std::string_view kInvalidFileSystem = "INVALID_FILE_SYSTEM";
inline constexpr std::string_view kInvalidMountOption = "INVALID_MOUNT_OPTION";
inline constexpr std::string_view kInvalidCombination = "INVALID_COMBINATION";
inline constexpr std::string_view kInvalidTransfer = "INVALID_TRANSFER";

// The state does not permit the call.
inline constexpr std::string_view kVolumeNotFound = "VOLUME_NOT_FOUND";
inline constexpr std::string_view kSourceNotFound = "SOURCE_NOT_FOUND";
inline constexpr std::string_view kSourceNotThin = "SOURCE_NOT_THIN";
inline constexpr std::string_view kSourceInOtherPool = "SOURCE_IN_OTHER_POOL";
inline constexpr std::string_view kSmallerThanSource = "SMALLER_THAN_SOURCE";
inline constexpr std::string_view kVolumeDiffers = "VOLUME_DIFFERS";
inline constexpr std::string_view kNameTaken = "NAME_TAKEN";
inline constexpr std::string_view kNotOfClass = "NOT_OF_CLASS";
inline constexpr std::string_view kVolumeAmbiguous = "VOLUME_AMBIGUOUS";
inline constexpr std::string_view kVolumeForeign = "VOLUME_FOREIGN";
inline constexpr std::string_view kMarkDiffers = "MARK_DIFFERS";
inline constexpr std::string_view kVolumeInUse = "VOLUME_IN_USE";
inline constexpr std::string_view kVolumeNeeded = "VOLUME_NEEDED";
inline constexpr std::string_view kNotEnoughSpace = "NOT_ENOUGH_SPACE";
inline constexpr std::string_view kPoolAboveMark = "POOL_ABOVE_MARK";
inline constexpr std::string_view kMetadataAreaFull = "METADATA_AREA_FULL";
inline constexpr std::string_view kVolumeInactive = "VOLUME_INACTIVE";
inline constexpr std::string_view kVolumeBlank = "VOLUME_BLANK";
inline constexpr std::string_view kVolumeNotBlank = "VOLUME_NOT_BLANK";
inline constexpr std::string_view kOtherContent = "OTHER_CONTENT";
inline constexpr std::string_view kTargetUnusable = "TARGET_UNUSABLE";
inline constexpr std::string_view kTargetTaken = "TARGET_TAKEN";
inline constexpr std::string_view kTargetNotEmpty = "TARGET_NOT_EMPTY";
inline constexpr std::string_view kPublishedElsewhere = "PUBLISHED_ELSEWHERE";
inline constexpr std::string_view kMountDiffers = "MOUNT_DIFFERS";
inline constexpr std::string_view kMountRefused = "MOUNT_REFUSED";
inline constexpr std::string_view kMountBusy = "MOUNT_BUSY";
inline constexpr std::string_view kNotMounted = "NOT_MOUNTED";
inline constexpr std::string_view kMountReadOnly = "MOUNT_READ_ONLY";
inline constexpr std::string_view kGrowRefused = "GROW_REFUSED";
inline constexpr std::string_view kFileSystemDamaged = "FILE_SYSTEM_DAMAGED";
inline constexpr std::string_view kVolumeWritable = "VOLUME_WRITABLE";
inline constexpr std::string_view kVolumeReadOnly = "VOLUME_READ_ONLY";
inline constexpr std::string_view kTransferNotFound = "TRANSFER_NOT_FOUND";
inline constexpr std::string_view kTransferDiffers = "TRANSFER_DIFFERS";
inline constexpr std::string_view kTooManyTransfers = "TOO_MANY_TRANSFERS";
inline constexpr std::string_view kResticUnusable = "RESTIC_UNUSABLE";

// The failure is temporary: a later call may succeed.
inline constexpr std::string_view kVolumeGroupUnavailable = "VOLUME_GROUP_UNAVAILABLE";
inline constexpr std::string_view kPoolUnavailable = "POOL_UNAVAILABLE";
inline constexpr std::string_view kVolumeGroupLocked = "VOLUME_GROUP_LOCKED";
inline constexpr std::string_view kCommandStuck = "COMMAND_STUCK";
inline constexpr std::string_view kWorkerGone = "WORKER_GONE";
inline constexpr std::string_view kQueueFull = "QUEUE_FULL";
inline constexpr std::string_view kTooManyStreams = "TOO_MANY_STREAMS";
inline constexpr std::string_view kTooManyMounters = "TOO_MANY_MOUNTERS";
inline constexpr std::string_view kMounterGone = "MOUNTER_GONE";
inline constexpr std::string_view kMountUnderWay = "MOUNT_UNDER_WAY";
inline constexpr std::string_view kRestoreUnderWay = "RESTORE_UNDER_WAY";
inline constexpr std::string_view kMoverNotStarted = "MOVER_NOT_STARTED";
inline constexpr std::string_view kHostDiskUnusable = "HOST_DISK_UNUSABLE";
inline constexpr std::string_view kReloaded = "RELOADED";
inline constexpr std::string_view kStopping = "STOPPING";

// Failures of LVM that no other reason covers.
inline constexpr std::string_view kLvmFailed = "LVM_FAILED";

}  // namespace lvmd::reason

namespace lvmd::key {

inline constexpr std::string_view kField = "field";
inline constexpr std::string_view kValue = "value";
inline constexpr std::string_view kExisting = "existing";
inline constexpr std::string_view kDeviceClass = "device_class";
inline constexpr std::string_view kVg = "vg";
inline constexpr std::string_view kLv = "lv";
inline constexpr std::string_view kPool = "pool";
inline constexpr std::string_view kTarget = "target";
inline constexpr std::string_view kTransfer = "transfer";
inline constexpr std::string_view kRequested = "requested";
inline constexpr std::string_view kAvailable = "available";
inline constexpr std::string_view kLimit = "limit";
inline constexpr std::string_view kHolder = "holder";
inline constexpr std::string_view kCommand = "command";
inline constexpr std::string_view kSeconds = "seconds";

}  // namespace lvmd::key
