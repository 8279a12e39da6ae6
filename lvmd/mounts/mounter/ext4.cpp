#include "lvmd/mounts/mounter/ext4.hpp"

#include <linux/ioctl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace lvmd::mounts::mounter::ext4 {
namespace {

// EXT4_IOC_RESIZE_FS of the kernel's fs/ext4/ext4.h: Debian 12 installs no header that has it.
constexpr unsigned long kResizeRequest = _IOW('f', 16, std::uint64_t);

// Documentation/filesystems/ext4/super.rst of the kernel. Numbers are little-endian.
constexpr off_t kSuperblockOffset = 1024;
constexpr std::size_t kBlocksLow = 0x4;
constexpr std::size_t kLogBlockSize = 0x18;
constexpr std::size_t kMagic = 0x38;
constexpr std::size_t kState = 0x3a;
constexpr std::size_t kCompatible = 0x5c;
constexpr std::size_t kIncompatible = 0x60;
constexpr std::size_t kBlocksHigh = 0x150;
constexpr std::uint32_t kMagicNumber = 0xef53;
constexpr std::uint32_t k64Bit = 0x80;
constexpr std::uint32_t kCleanlyUnmounted = 0x1;
constexpr std::uint32_t kErrorsRecorded = 0x2;
constexpr std::uint32_t kHasJournal = 0x4;
constexpr std::uint32_t kMaxLogBlockSize = 6;

std::uint32_t number_at(const Superblock& superblock, std::size_t offset, std::size_t size = 4) {
  std::uint32_t number = 0;
  for (std::size_t i = size; i > 0; --i) number = number << 8U | superblock.at(offset + i - 1);
  return number;
}

}  // namespace

Result<FileSystemSize> size_in(const Superblock& superblock) {
  const std::uint32_t log_block_size = number_at(superblock, kLogBlockSize);
  if (number_at(superblock, kMagic, 2) != kMagicNumber || log_block_size > kMaxLogBlockSize)
    return fail(Code::kInternal, "the volume has no superblock of ext4");
  std::uint64_t blocks = number_at(superblock, kBlocksLow);
  if ((number_at(superblock, kIncompatible) & k64Bit) != 0)
    blocks |= std::uint64_t{number_at(superblock, kBlocksHigh)} << 32U;
  const std::uint64_t block = std::uint64_t{1024} << log_block_size;
  return FileSystemSize{.bytes = blocks * block, .block = block};
}

Result<Superblock> read_superblock(const OpenVolume& volume) {
  // A mounted file system keeps its superblock in the cache of the device, so this read returns the
  // current one.
  Superblock superblock{};
  if (::pread(volume.fd.get(), superblock.data(), superblock.size(), kSuperblockOffset) < 0)
    return fail_errno(errno, "superblock of " + volume.path);
  return superblock;
}

bool asks_for_check(const Superblock& superblock) {
  if (number_at(superblock, kMagic, 2) != kMagicNumber) return false;
  const std::uint32_t state = number_at(superblock, kState, 2);
  const bool has_journal = (number_at(superblock, kCompatible) & kHasJournal) != 0;
  return (state & kErrorsRecorded) != 0 || (!has_journal && (state & kCleanlyUnmounted) == 0);
}

Result<FileSystemSize> measure(const MountedFileSystem& mounted) {
  // statfs(2) leaves out what metadata occupies.
  const auto superblock = read_superblock(mounted.volume);
  if (!superblock) return std::unexpected(superblock.error());
  return size_in(*superblock);
}

int resize(const MountedFileSystem& mounted, std::uint64_t blocks) {
  return ::ioctl(mounted.directory, kResizeRequest, &blocks) == 0 ? 0 : errno;
}

}  // namespace lvmd::mounts::mounter::ext4
