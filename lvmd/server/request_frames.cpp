#include "lvmd/server/request_frames.hpp"

#include <algorithm>

namespace lvmd::server {
namespace {

// RFC 9113, section 6.
constexpr std::uint8_t kData = 0;
constexpr std::uint8_t kHeaders = 1;
constexpr std::uint8_t kResetStream = 3;
constexpr std::uint8_t kEndStream = 1;

// gRPC takes about 12 KiB for a stream and its call, measured with 3,750 of them.
constexpr std::size_t kBytesPerStream = std::size_t{16} << 10U;

}  // namespace

void RequestFrames::take(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    std::size_t taken = std::min(skip_, bytes.size());
    skip_ -= taken;
    if (taken == 0) {
      taken = std::min(kHeaderBytes - header_bytes_, bytes.size());
      for (const std::byte byte : bytes.first(taken))
        header_.at(header_bytes_++) = std::to_integer<std::uint8_t>(byte);
      if (header_bytes_ == kHeaderBytes) take_header();
    }
    bytes_since_first_ = incomplete_.empty() ? 0 : bytes_since_first_ + taken;
    bytes = bytes.subspan(taken);
  }
}

std::size_t RequestFrames::held_bytes() const {
  return bytes_since_first_ + incomplete_.size() * kBytesPerStream;
}

void RequestFrames::take_header() {
  const auto number = [this](std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + size; ++i) value = value << 8U | header_.at(i);
    return value;
  };
  header_bytes_ = 0;
  skip_ = number(0, 3);
  const auto type = header_.at(3);
  const bool ends = (header_.at(4) & kEndStream) != 0;
  // The first bit is reserved.
  const std::uint32_t stream = number(5, 4) & 0x7fffffffU;
  if (type == kHeaders && !ends) incomplete_.insert(stream);
  if (type == kResetStream || ((type == kHeaders || type == kData) && ends))
    incomplete_.erase(stream);
}

}  // namespace lvmd::server
