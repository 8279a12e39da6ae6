#include "lvmd/metadata/device_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <new>

#include "lvmd/base/unique_c.hpp"

namespace lvmd::metadata {
namespace {

// O_DIRECT requires that offset, length and memory are aligned to the logical block size, which is
// at most 4096.
constexpr std::size_t kAlignment = 4096;

}  // namespace

Result<DeviceFile> DeviceFile::open(const std::string& path) {
  UniqueFd fd{::open(path.c_str(), kOpenFlags)};
  if (!fd) return fail_errno(errno, fmt::format("open {}", path));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, fmt::format("stat {}", path));
  const Identity identity = S_ISBLK(status.st_mode)
                                ? Identity{.device = status.st_rdev, .inode = 0}
                                : Identity{.device = status.st_dev, .inode = status.st_ino};
  return DeviceFile{path, std::move(fd), identity};
}

Result<std::string> DeviceFile::read(std::uint64_t offset, std::size_t size) const {
  constexpr auto kMaxOffset = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  if (size > kMaxOffset / 2 || offset > kMaxOffset / 2)
    return fail(Code::kInternal, "{}: offset {} is out of range", path_, offset);
  const std::uint64_t start = offset - offset % kAlignment;
  const auto skipped = static_cast<std::size_t>(offset - start);
  const std::size_t length = (skipped + size + kAlignment - 1) / kAlignment * kAlignment;
  const UniqueC<char, &std::free> buffer{
      static_cast<char*>(std::aligned_alloc(kAlignment, length))};
  if (!buffer) throw std::bad_alloc{};

  std::size_t filled = 0;
  while (filled < skipped + size) {
    const ssize_t count = ::pread(fd_.get(), buffer.get() + filled, length - filled,
                                  static_cast<off_t>(start + filled));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail_errno(errno, fmt::format("read {} at {}", path_, start + filled));
    if (count == 0)
      return fail(Code::kInternal, "{} ends at {}, expected {} bytes at {}", path_, start + filled,
                  size, offset);
    filled += static_cast<std::size_t>(count);
  }
  return std::string{buffer.get() + skipped, size};
}

}  // namespace lvmd::metadata
