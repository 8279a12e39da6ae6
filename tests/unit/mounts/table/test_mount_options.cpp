#include <sys/mount.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/mounts/table/mount_options.hpp"

using namespace lvmd::mounts;

namespace {

constexpr unsigned long kAlways = MS_NOSUID | MS_NODEV;

MountArguments arguments(const std::string& type, bool read_only, bool snapshot,
                         const std::vector<std::string>& options = {}) {
  return mount_arguments(
      {.fs_type = type, .read_only = read_only, .duplicate_uuid = snapshot, .options = options});
}

}  // namespace

TEST_CASE("a mount is always nosuid and nodev [P-MOUNT-5]", "[mount]") {
  CHECK(arguments("ext4", false, false) == MountArguments{kAlways, ""});
  CHECK(arguments("ext4", false, false, {"noatime", "noexec"}) ==
        MountArguments{kAlways | MS_NOATIME | MS_NOEXEC, ""});
  CHECK(arguments("xfs", false, false, {"nodiratime", "relatime", "sync", "dirsync"}) ==
        MountArguments{kAlways | MS_NODIRATIME | MS_RELATIME | MS_SYNCHRONOUS | MS_DIRSYNC, ""});
  CHECK(arguments("btrfs", false, false, {"lazytime", "discard"}) ==
        MountArguments{kAlways | MS_LAZYTIME, "discard"});
}

TEST_CASE("a read-only mount does no recovery, and an xfs snapshot may share a UUID [P-MOUNT-6]",
          "[mount]") {
  constexpr unsigned long kReadOnly = kAlways | MS_RDONLY;
  CHECK(arguments("ext4", true, true) == MountArguments{kReadOnly, "noload"});
  CHECK(arguments("xfs", true, false) == MountArguments{kReadOnly, "norecovery"});
  CHECK(arguments("xfs", true, true) == MountArguments{kReadOnly, "norecovery,nouuid"});
  CHECK(arguments("xfs", false, true) == MountArguments{kAlways, "nouuid"});
  CHECK(arguments("btrfs", true, true) == MountArguments{kReadOnly, "rescue=nologreplay"});
  CHECK(arguments("ext4", true, false, {"discard"}).data == "noload");
}

TEST_CASE("a bind mount has the same restrictions [P-MOUNT-5, P-MOUNT-9]", "[mount]") {
  const std::vector<std::string> options{"noatime", "noexec"};
  const auto plain = bind_attributes({.fs_type = "ext4"});
  CHECK(plain.set == (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV));
  CHECK((plain.clear & MOUNT_ATTR_RDONLY) != 0);
  CHECK((plain.clear & (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)) == 0);
  const auto strict = bind_attributes({.read_only = true, .options = options});
  CHECK(strict.set == (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY |
                       MOUNT_ATTR_NOATIME | MOUNT_ATTR_NOEXEC));
}

TEST_CASE("a mount without forced restrictions has those of its options", "[mount]") {
  const std::vector<std::string> place{"strictatime", "nosuid"};
  const MountSpec spec{.fs_type = "ext4", .options = place, .nosuid = false, .nodev = false};
  CHECK(mount_arguments(spec) == MountArguments{MS_STRICTATIME | MS_NOSUID, ""});
  const auto bound = bind_attributes(spec);
  CHECK(bound.set == (MOUNT_ATTR_STRICTATIME | MOUNT_ATTR_NOSUID));
  CHECK((bound.clear & (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)) == MOUNT_ATTR_NODEV);
  CHECK(mount_arguments({.fs_type = "ext4", .nosuid = false, .nodev = false}) ==
        MountArguments{0, ""});
}

TEST_CASE("options of the file system are flags or data, which a read-only mount does not get",
          "[mount]") {
  const std::vector<std::string> options{"lazytime", "data=journal", "nodiscard", "discard"};
  MountSpec spec{.fs_type = "ext4", .file_system_options = options, .context = "u:r:t:s0:c1,c2"};
  CHECK(mount_arguments(spec) ==
        MountArguments{kAlways | MS_LAZYTIME,
                       "data=journal,nodiscard,discard,context=\"u:r:t:s0:c1,c2\""});
  spec.read_only = true;
  CHECK(mount_arguments(spec) ==
        MountArguments{kAlways | MS_LAZYTIME | MS_RDONLY, "noload,context=\"u:r:t:s0:c1,c2\""});
  CHECK(bind_attributes(spec) == bind_attributes({.read_only = true}));
}
