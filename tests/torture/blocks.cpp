#include "tests/torture/blocks.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

namespace lvmd::torture {
namespace {

constexpr std::string_view kMark = "lvmd-torture ";
constexpr std::size_t kShownBytes = 16;

struct FreeAligned {
  void operator()(char* buffer) const {
    ::operator delete[](buffer, std::align_val_t{kBlockBytes});
  }
};
// NOLINTNEXTLINE(modernize-avoid-c-arrays): the size is known at run time only
using Buffer = std::unique_ptr<char[], FreeAligned>;

Buffer make_buffer(std::int64_t bytes) {
  return Buffer{static_cast<char*>(
      ::operator new[](static_cast<std::size_t>(bytes), std::align_val_t{kBlockBytes}))};
}

class Device {
 public:
  Device(const std::string& path, int flags)
      : fd_(::open(path.c_str(), flags | O_DIRECT | O_CLOEXEC)), error_(fd_ < 0 ? errno : 0) {}
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] int error() const { return error_; }

 private:
  int fd_;
  int error_;
};

// The whole block follows from its first line, so that any damage shows.
void fill(std::span<char> block, const std::string& birth, std::int64_t sequence,
          std::int64_t offset) {
  const std::string line = fmt::format("{}{} {} {}\n", kMark, birth, sequence, offset);
  std::uint64_t state = 1469598103934665603ULL;
  for (const char letter : line)
    state = (state ^ static_cast<std::uint8_t>(letter)) * 1099511628211ULL;
  state |= 1;
  for (std::size_t at = 0; at + sizeof state <= block.size(); at += sizeof state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    std::memcpy(block.data() + at, &state, sizeof state);
  }
  std::ranges::copy(line, block.begin());
}

std::string other(std::span<const char> block) {
  std::string shown = "other: ";
  for (const char letter : block.first(kShownBytes))
    shown += fmt::format("{:02x}", static_cast<std::uint8_t>(letter));
  return shown;
}

std::string content_of(std::span<const char> block, std::int64_t offset) {
  if (std::ranges::all_of(block, [](char letter) { return letter == 0; })) return "zeros";
  const std::string_view text{block.data(), block.size()};
  const std::size_t end = text.find('\n');
  if (!text.starts_with(kMark) || end == std::string_view::npos) return other(block);
  std::istringstream line{std::string{text.substr(kMark.size(), end - kMark.size())}};
  std::string birth;
  std::int64_t sequence = 0;
  std::int64_t written_at = 0;
  if (!(line >> birth >> sequence >> written_at)) return other(block);
  const Buffer expected = make_buffer(kBlockBytes);
  const std::span<char> whole{expected.get(), static_cast<std::size_t>(kBlockBytes)};
  fill(whole, birth, sequence, written_at);
  if (!std::equal(whole.begin(), whole.end(), block.begin()))
    return fmt::format("other: damaged {}/{}", birth, sequence);
  if (written_at != offset)
    return fmt::format("other: {}/{} of offset {}", birth, sequence, written_at);
  return fmt::format("{}/{}", birth, sequence);
}

}  // namespace

int write_blocks(const std::string& device, std::int64_t offset, std::int64_t bytes,
                 const std::string& birth, std::int64_t sequence) {
  const Device opened{device, O_WRONLY};
  if (opened.error() != 0) return opened.error();
  const Buffer buffer = make_buffer(bytes);
  for (std::int64_t at = 0; at < bytes; at += kBlockBytes)
    fill({buffer.get() + at, static_cast<std::size_t>(kBlockBytes)}, birth, sequence, offset + at);
  for (std::int64_t at = 0; at < bytes;) {
    const ssize_t done =
        ::pwrite(opened.fd(), buffer.get() + at, static_cast<std::size_t>(bytes - at), offset + at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : ENOSPC;
    at += done;
  }
  return ::fsync(opened.fd()) == 0 ? 0 : errno;
}

BlocksRead read_blocks(const std::string& device, std::int64_t offset, std::int64_t bytes) {
  BlocksRead result;
  const Device opened{device, O_RDONLY};
  if (opened.error() != 0) return {.error = opened.error(), .contents = {}};
  const Buffer buffer = make_buffer(kBlockBytes);
  for (std::int64_t at = offset; at < offset + bytes; at += kBlockBytes) {
    const ssize_t done =
        ::pread(opened.fd(), buffer.get(), static_cast<std::size_t>(kBlockBytes), at);
    if (done != kBlockBytes) return {.error = done < 0 ? errno : ENXIO, .contents = {}};
    ++result.contents[content_of({buffer.get(), static_cast<std::size_t>(kBlockBytes)}, at)];
  }
  return result;
}

}  // namespace lvmd::torture
