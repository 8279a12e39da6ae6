// Finds incomplete requests in what a client sends on an HTTP/2 connection (RFC 9113).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>

namespace lvmd::server {

// The frames of one connection. It reads their headers only: gRPC checks whether they are valid.
// Not thread-safe.
class RequestFrames {
 public:
  // Takes the next bytes of the connection, in pieces of any size.
  void take(std::span<const std::byte> bytes);

  // What the incomplete requests can occupy at most. A request is incomplete from its headers until
  // the client ends or resets the stream. Counted are all bytes since the first of them began,
  // because gRPC keeps a whole buffer for a part of it, and a fixed amount for each stream. 0 while
  // no request is incomplete.
  [[nodiscard]] std::size_t held_bytes() const;

 private:
  // Of the length, type, flags and stream of a frame.
  static constexpr std::size_t kHeaderBytes = 9;
  // "PRI * HTTP/2.0", with its empty lines and "SM".
  static constexpr std::size_t kPrefaceBytes = 24;

  void take_header();

  std::array<std::uint8_t, kHeaderBytes> header_{};
  std::size_t header_bytes_ = 0;
  // The bytes to skip before the next frame's header.
  std::size_t skip_ = kPrefaceBytes;
  std::set<std::uint32_t> incomplete_;
  std::size_t bytes_since_first_ = 0;
};

}  // namespace lvmd::server
