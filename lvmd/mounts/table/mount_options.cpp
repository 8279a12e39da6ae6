#include "lvmd/mounts/table/mount_options.hpp"

#include <fmt/format.h>
#include <sys/mount.h>

#include <algorithm>
#include <array>

namespace lvmd::mounts {
namespace {

struct Flag {
  std::string_view option;
  unsigned long flag;
};

constexpr std::array kFlags{
    Flag{"noatime", MS_NOATIME},   Flag{"nodiratime", MS_NODIRATIME},
    Flag{"relatime", MS_RELATIME}, Flag{"strictatime", MS_STRICTATIME},
    Flag{"lazytime", MS_LAZYTIME}, Flag{"noexec", MS_NOEXEC},
    Flag{"nosuid", MS_NOSUID},     Flag{"nodev", MS_NODEV},
    Flag{"sync", MS_SYNCHRONOUS},  Flag{"dirsync", MS_DIRSYNC},
};

// The flag of mount(2) for an option. Zero if there is none.
unsigned long flag_of(std::string_view option) {
  const auto* const known = std::ranges::find(kFlags, option, &Flag::option);
  return known == kFlags.end() ? 0 : known->flag;
}

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
  MountArguments arguments;
  if (spec.nosuid) arguments.flags |= MS_NOSUID;
  if (spec.nodev) arguments.flags |= MS_NODEV;
  if (spec.read_only) {
    arguments.flags |= MS_RDONLY;
    add(arguments.data, without_recovery(spec.fs_type));
  }
  if (spec.fs_type == "xfs" && spec.duplicate_uuid) add(arguments.data, "nouuid");
  for (const std::string& option : spec.options) {
    arguments.flags |= flag_of(option);
    // A read-only file system discards no blocks.
    if (option == "discard" && !spec.read_only) add(arguments.data, option);
  }
  for (const std::string& option : spec.file_system_options) {
    const unsigned long flag = flag_of(option);
    arguments.flags |= flag;
    if (flag == 0 && !spec.read_only) add(arguments.data, option);
  }
  // The kernel removes the quotes, which protect the commas of the context.
  if (!spec.context.empty()) add(arguments.data, fmt::format("context=\"{}\"", spec.context));
  return arguments;
}

BindAttributes bind_attributes(const MountSpec& spec) {
  // MOUNT_ATTR__ATIME is a field of several bits, which the kernel requires to be cleared before it
  // is set.
  BindAttributes attributes{
      .set = 0,
      .clear = MOUNT_ATTR__ATIME | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_NODIRATIME};
  const auto has = [&spec](std::string_view option) {
    return std::ranges::find(spec.options, option) != spec.options.end();
  };
  (spec.nosuid || has("nosuid") ? attributes.set : attributes.clear) |= MOUNT_ATTR_NOSUID;
  (spec.nodev || has("nodev") ? attributes.set : attributes.clear) |= MOUNT_ATTR_NODEV;
  if (spec.read_only) attributes.set |= MOUNT_ATTR_RDONLY;
  if (has("noatime")) attributes.set |= MOUNT_ATTR_NOATIME;
  if (has("strictatime")) attributes.set |= MOUNT_ATTR_STRICTATIME;
  if (has("nodiratime")) attributes.set |= MOUNT_ATTR_NODIRATIME;
  if (has("noexec")) attributes.set |= MOUNT_ATTR_NOEXEC;
  return attributes;
}

}  // namespace lvmd::mounts
