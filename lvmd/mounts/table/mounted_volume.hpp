// Which logical volume a mount is of, without access to the device nodes.
#pragma once

#include <filesystem>
#include <optional>

#include "lvmd/model/mapped_name.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts {

// The volume whose file system is mounted, or whose device node is mounted on a file. Absent if it
// is none, or its device does not exist any more. The names are those of the device now; a device
// that is not LVM's can have such a name, too, so compare the volume group with the known ones.
// Reads only files of sysfs, which never wait for a device. `sysfs` is another folder in tests.
[[nodiscard]] std::optional<model::VolumeName> volume_of(
    const MountPoint& mount, const std::filesystem::path& sysfs = "/sys");

}  // namespace lvmd::mounts
