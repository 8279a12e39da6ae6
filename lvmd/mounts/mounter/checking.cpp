#include "lvmd/mounts/mounter/checking.hpp"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/mounts/mounter/content.hpp"
#include "lvmd/mounts/mounter/ext4.hpp"
#include "lvmd/probe/run_program.hpp"

namespace lvmd::mounts::mounter {
namespace {

// The exit code of e2fsck after it has repaired everything (e2fsck(8)).
constexpr int kRepaired = 1;

bool is_held_exclusively(const OpenVolume& volume) {
  const UniqueFd exclusive{::open(volume.path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC)};
  return !exclusive && errno == EBUSY;
}

Status run_e2fsck(const OpenVolume& volume) {
  const auto done = probe::run_program({"e2fsck", "-p", volume.path});
  if (!done) return std::unexpected(done.error());
  const ExitStatus& status = done->status;
  if (status.succeeded() || (status.signal == 0 && status.code == kRepaired)) return {};
  return fail(Code::kFailedPrecondition,
              "the ext4 of volume {} is damaged, and e2fsck -p {}: {}. Run e2fsck {} by hand, or "
              "restore the volume from a backup",
              volume.name, describe(status), done->output, volume.path)
      .because(reason::kFileSystemDamaged);
}

}  // namespace

Status check_before_mount(const OpenVolume& volume, std::string_view fs_type) {
  if (fs_type != "ext4" || volume.read_only) return {};
  const auto end = std::chrono::steady_clock::now() + kFormatPatience;
  for (;;) {
    const auto superblock = ext4::read_superblock(volume);
    if (!superblock) return std::unexpected(superblock.error());
    if (!ext4::asks_for_check(*superblock)) return {};
    if (!is_held_exclusively(volume)) break;
    // It may be the e2fsck of a mounter that died: then the superblock changes when it ends.
    if (std::chrono::steady_clock::now() >= end)
      return fail(Code::kAborted,
                  "the ext4 of volume {} must be checked, but another program or another mount "
                  "namespace uses {}: try again when it has ended",
                  volume.name, volume.path)
          .because(reason::kMountUnderWay);
    std::this_thread::sleep_for(kFormatInterval);
  }
  failpoint("mounter.check");
  return run_e2fsck(volume);
}

}  // namespace lvmd::mounts::mounter
