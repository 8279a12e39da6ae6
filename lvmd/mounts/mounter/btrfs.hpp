// A mounted btrfs. Of a file system on several devices, all of this concerns the volume's device.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/file_system_size.hpp"

namespace lvmd::mounts::mounter::btrfs {

// Returns what the file system uses of the volume. Internal when the volume is not one of its
// devices.
[[nodiscard]] Result<FileSystemSize> measure(const MountedFileSystem& mounted);

// Grows the file system on the volume to `blocks`. Returns 0 or the error number: EBUSY while
// another operation on its devices runs, such as a balance.
[[nodiscard]] int resize(const MountedFileSystem& mounted, std::uint64_t blocks);

// The kernel's names of the errors that it counts for a device, in the order of device_errors().
inline constexpr std::array<std::string_view, 5> kErrorKinds{
    "write_errs", "read_errs", "flush_errs", "corruption_errs", "generation_errs"};

// Returns how often each kind of error has occurred on the volume, since `btrfs device stats -z` at
// most.
[[nodiscard]] Result<std::array<std::uint64_t, kErrorKinds.size()>> device_errors(
    const MountedFileSystem& mounted);

}  // namespace lvmd::mounts::mounter::btrfs
