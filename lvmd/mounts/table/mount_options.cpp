#include "lvmd/mounts/table/mount_options.hpp"

#include <sys/mount.h>

#include <array>

namespace lvmd::mounts {
namespace {

struct Flag {
  std::string_view option;
  unsigned long flag;
};

constexpr std::array kFlags{
    Flag{"noatime", MS_NOATIME},   Flag{"nodiratime", MS_NODIRATIME}, Flag{"relatime", MS_RELATIME},
    Flag{"lazytime", MS_LAZYTIME}, Flag{"noexec", MS_NOEXEC},         Flag{"sync", MS_SYNCHRONOUS},
    Flag{"dirsync", MS_DIRSYNC},
};

void add(std::string& data, std::string_view option) {
  if (!data.empty()) data += ',';
  data += option;
}

std::string_view without_recovery(std::string_view fs_type) {
  if (fs_type == "ext4") return "noload";
  if (fs_type == "xfs") return "norecovery";
  // The older name "nologreplay" is deprecated since Linux 5.9.
  return "rescue=nologreplay";
}

}  // namespace

MountArguments mount_arguments(const MountSpec& spec) {
  MountArguments arguments{.flags = MS_NOSUID | MS_NODEV, .data = {}};
  if (spec.read_only) {
    arguments.flags |= MS_RDONLY;
    add(arguments.data, without_recovery(spec.fs_type));
  }
  if (spec.fs_type == "xfs" && spec.snapshot) add(arguments.data, "nouuid");
  for (const std::string& option : spec.options) {
    for (const Flag& known : kFlags)
      if (option == known.option) arguments.flags |= known.flag;
    // A read-only file system discards no blocks.
    if (option == "discard" && !spec.read_only) add(arguments.data, option);
  }
  return arguments;
}

BindAttributes bind_attributes(const MountSpec& spec) {
  // MOUNT_ATTR__ATIME is a field of several bits, which the kernel requires to be cleared before it
  // is set.
  BindAttributes attributes{
      .set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
      .clear = MOUNT_ATTR__ATIME | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_NODIRATIME};
  if (spec.read_only) attributes.set |= MOUNT_ATTR_RDONLY;
  for (const std::string& option : spec.options) {
    if (option == "noatime") attributes.set |= MOUNT_ATTR_NOATIME;
    if (option == "nodiratime") attributes.set |= MOUNT_ATTR_NODIRATIME;
    if (option == "noexec") attributes.set |= MOUNT_ATTR_NOEXEC;
  }
  return attributes;
}

}  // namespace lvmd::mounts
