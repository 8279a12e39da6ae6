// The stream in which blocks are stored, an on-disk format [P-XFER-7]. Numbers are little-endian.
//
//   header   8 bytes "lvmdblk1", u32 size of a block (65536), u32 0, u64 size of the device
//   runs     u64 offset, u32 length, u32 0, then the bytes: blocks that are not all zeros, in the
//            order of their offsets, at most 1 MiB at a time. Both are multiples of a block's size,
//            but for the last block of a device whose size is none.
//   trailer  u64 2^64 - 1, u32 32, u32 0, then SHA-256 of everything before the trailer
//
// A stream that ends before its trailer, or has another hash, is a damaged one.
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

// Makes a stream of a device's content, which is given piece by piece.
class BlockStreamWriter {
 public:
  explicit BlockStreamWriter(std::uint64_t device_size);

  // What comes before the first run.
  [[nodiscard]] std::string header();
  // The runs of the next `content`, of at most kMaxRun bytes; may be empty. All but the last piece
  // have a multiple of kBlockSize.
  [[nodiscard]] std::string runs(std::string_view content);
  // Once, after all of the device.
  [[nodiscard]] std::string trailer();
  // Of everything before the trailer; after trailer().
  [[nodiscard]] const std::string& hash() const { return hash_; }

 private:
  std::uint64_t device_size_;
  std::uint64_t offset_ = 0;
  transfers::Sha256 sha256_;
  std::string hash_;
};

// Where a stream's content goes.
class BlockTarget {
 public:
  BlockTarget() = default;
  BlockTarget(const BlockTarget&) = delete;
  BlockTarget& operator=(const BlockTarget&) = delete;
  virtual ~BlockTarget() = default;

  // Called first, once.
  [[nodiscard]] virtual Status begin(std::uint64_t device_size) = 0;
  // In the order of offsets; what lies between two is zeros.
  [[nodiscard]] virtual Status write(std::uint64_t offset, std::string_view bytes) = 0;
};

// Takes a stream apart. DataLoss doesn't exist among our codes: a damaged stream is OutOfRange,
// everything else is the target's error.
class BlockStreamReader {
 public:
  explicit BlockStreamReader(BlockTarget& target) : target_(target) {}

  // The next bytes, of any number.
  [[nodiscard]] Status add(std::string_view bytes);
  // The stream is over: damaged, when its trailer hasn't come.
  [[nodiscard]] Status finish() const;
  // Of a finished one.
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
  // Of the run that comes, and the end of the one before.
  std::uint64_t offset_ = 0;
  std::size_t length_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace lvmd::transfers::mover
