// The stream format in which blocks are stored, an on-disk format [P-XFER-7]. Numbers are
// little-endian.
//
//   header   8 bytes "lvmdblk1", u32 size of a block (65536), u32 0, u64 size of the device
//   runs     u64 offset, u32 length, u32 0, then the bytes: blocks that are not all zeros, in the
//            order of their offsets, at most 1 MiB at a time. Offset and length are multiples of
//            the block size, except for the last block of a device whose size is not a multiple.
//   trailer  u64 2^64 - 1, u32 32, u32 0, then SHA-256 of everything before the trailer
//
// A stream that ends before its trailer or has another hash is damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/transfers/record/sha256.hpp"

namespace lvmd::transfers::mover {

inline constexpr std::size_t kBlockSize = std::size_t{64} << 10U;
inline constexpr std::size_t kMaxRun = std::size_t{1} << 20U;

[[nodiscard]] bool is_zero(std::string_view bytes);

// Creates the stream of a device from its content, which the caller passes in pieces. Not
// thread-safe.
class BlockStreamWriter {
 public:
  explicit BlockStreamWriter(std::uint64_t device_size);

  // Returns the header. Called first, once.
  [[nodiscard]] std::string header();
  // Returns the runs of the next `content`, which has at most kMaxRun bytes. The result is empty
  // when the content is zeros. The size of every piece but the last is a multiple of kBlockSize.
  [[nodiscard]] std::string runs(std::string_view content);
  // Returns the trailer. Called once, after the content of the whole device.
  [[nodiscard]] std::string trailer();
  // The hash of everything before the trailer. Valid after trailer().
  [[nodiscard]] const std::string& hash() const { return hash_; }

 private:
  std::uint64_t device_size_;
  std::uint64_t offset_ = 0;
  transfers::Sha256 sha256_;
  std::string hash_;
};

// Receives the content of a stream.
class BlockTarget {
 public:
  BlockTarget() = default;
  BlockTarget(const BlockTarget&) = delete;
  BlockTarget& operator=(const BlockTarget&) = delete;
  virtual ~BlockTarget() = default;

  // Called first, once.
  [[nodiscard]] virtual Status begin(std::uint64_t device_size) = 0;
  // Called in ascending order of the offsets. The ranges in between are zeros.
  [[nodiscard]] virtual Status write(std::uint64_t offset, std::string_view bytes) = 0;
};

// Parses a stream. A damaged stream is OutOfRange, because lvmd's codes do not include DataLoss;
// every other error comes from the target. Not thread-safe.
class BlockStreamReader {
 public:
  explicit BlockStreamReader(BlockTarget& target) : target_(target) {}

  // Parses the next bytes, in pieces of any size.
  [[nodiscard]] Status add(std::string_view bytes);
  // Called at the end of the input. OutOfRange when the stream has no trailer.
  [[nodiscard]] Status finish() const;
  // Valid after finish() succeeded.
  [[nodiscard]] const std::string& hash() const { return hash_; }
  [[nodiscard]] std::uint64_t device_size() const { return device_size_; }

 private:
  enum class Part { kHeader, kRunHead, kRunData, kTrailer, kEnd };

  [[nodiscard]] Status take_header(std::string_view bytes);
  [[nodiscard]] Status take_run_head(std::string_view bytes);
  [[nodiscard]] Status take_trailer(std::string_view bytes);
  [[nodiscard]] std::size_t wanted() const;

  BlockTarget& target_;
  Part part_ = Part::kHeader;
  std::string pending_;
  transfers::Sha256 sha256_;
  std::string hash_;
  std::uint64_t device_size_ = 0;
  // The current run, and the end of the run before it.
  std::uint64_t offset_ = 0;
  std::size_t length_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace lvmd::transfers::mover
