// A mounted xfs.
#pragma once

#include <cstdint>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/file_system_size.hpp"

namespace lvmd::mounts::mounter::xfs {

// Returns the size of the data section.
[[nodiscard]] Result<FileSystemSize> measure(const MountedFileSystem& mounted);

// Grows the data section to `blocks`. Returns 0 or the error number: EAGAIN while another program
// grows it.
[[nodiscard]] int resize(const MountedFileSystem& mounted, std::uint64_t blocks);

// Returns how many kinds of metadata the kernel has found damaged. The kernel forgets them when
// the file system is unmounted.
[[nodiscard]] Result<std::uint64_t> sick_metadata(const MountedFileSystem& mounted);

}  // namespace lvmd::mounts::mounter::xfs
