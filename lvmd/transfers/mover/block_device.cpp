#include "lvmd/transfers/mover/block_device.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "lvmd/base/files.hpp"

namespace lvmd::transfers::mover {
namespace {

constexpr std::uint64_t kEdgeSize = std::uint64_t{1} << 20U;

}  // namespace

BlockDevice::BlockDevice(UniqueFd fd, std::string path, std::uint64_t size,
                         std::function<Status(std::uint64_t)> on_progress)
    : fd_(std::move(fd)),
      path_(std::move(path)),
      size_(size),
      on_progress_(std::move(on_progress)),
      head_(std::min(size, kEdgeSize), '\0'),
      tail_offset_(std::max<std::uint64_t>(size - std::min(size, kEdgeSize), head_.size())) {
  tail_.resize(size_ - tail_offset_, '\0');
}

Result<std::unique_ptr<BlockDevice>> BlockDevice::open(
    const std::string& path, std::function<Status(std::uint64_t)> on_progress) {
  UniqueFd fd{::open(path.c_str(), O_RDWR | O_EXCL | O_CLOEXEC)};
  if (!fd) return fail_errno(errno, fmt::format("open {} for writing", path));
  const off_t size = ::lseek(fd.get(), 0, SEEK_END);
  if (size < 0) return fail_errno(errno, fmt::format("size of {}", path));
  return std::unique_ptr<BlockDevice>{new BlockDevice{
      std::move(fd), path, static_cast<std::uint64_t>(size), std::move(on_progress)}};
}

Status BlockDevice::begin(std::uint64_t device_size) {
  if (device_size > size_)
    return fail(Code::kOutOfRange, "{} has {} bytes, but the stream contains a device of {} bytes",
                path_, size_, device_size);
  stream_size_ = device_size;
  return {};
}

Status BlockDevice::write(std::uint64_t offset, std::string_view bytes) {
  if (auto zeroed = zero_up_to(offset); !zeroed) return zeroed;
  if (auto done = put(offset, bytes); !done) return done;
  offset_ = offset + bytes.size();
  return on_progress_(offset_);
}

Status BlockDevice::zero_up_to(std::uint64_t offset) {
  // The buffered edges are initially zeros.
  offset_ = std::max<std::uint64_t>(offset_, head_.size());
  const std::uint64_t end = std::min(offset, tail_offset_);
  while (offset_ < end) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(end - offset_, kMaxRun));
    const auto there = read_at(fd_.get(), offset_, count, fmt::format("read {}", path_));
    if (!there) return std::unexpected(there.error());
    if (there->size() != count)
      return fail(Code::kInternal, "{} is shorter than its reported size", path_);
    for (std::size_t at = 0; at < count; at += kBlockSize) {
      const std::string_view block = std::string_view{*there}.substr(at, kBlockSize);
      if (is_zero(block)) continue;
      if (auto done = put_now(offset_ + at, std::string(block.size(), '\0')); !done) return done;
    }
    offset_ += count;
    if (auto continues = on_progress_(offset_); !continues) return continues;
  }
  return {};
}

Status BlockDevice::put(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    std::size_t count = bytes.size();
    if (offset < head_.size()) {
      count = std::min<std::size_t>(count, head_.size() - offset);
      head_.replace(offset, count, bytes.substr(0, count));
    } else if (offset >= tail_offset_) {
      tail_.replace(offset - tail_offset_, count, bytes);
    } else {
      count = static_cast<std::size_t>(std::min<std::uint64_t>(count, tail_offset_ - offset));
      if (auto done = put_now(offset, bytes.substr(0, count)); !done) return done;
    }
    offset += count;
    bytes.remove_prefix(count);
  }
  return {};
}

Status BlockDevice::put_now(std::uint64_t offset, std::string_view bytes) {
  return write_all_at(fd_.get(), bytes, static_cast<off_t>(offset),
                      fmt::format("write to {}", path_));
}

Status BlockDevice::finish() {
  if (auto zeroed = zero_up_to(stream_size_); !zeroed) return zeroed;
  if (::fsync(fd_.get()) != 0) return fail_errno(errno, fmt::format("flush {}", path_));
  // Writes the end before the beginning, because the signature at the beginning identifies the
  // content.
  if (!is_zero(tail_))
    if (auto done = put_now(tail_offset_, tail_); !done) return done;
  if (!is_zero(head_))
    if (auto done = put_now(0, head_); !done) return done;
  if (::fsync(fd_.get()) != 0) return fail_errno(errno, fmt::format("flush {}", path_));
  return {};
}

}  // namespace lvmd::transfers::mover
