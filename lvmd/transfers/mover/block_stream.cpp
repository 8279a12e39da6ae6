#include "lvmd/transfers/mover/block_stream.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace lvmd::transfers::mover {
namespace {

constexpr std::string_view kMagic = "lvmdblk1";
constexpr std::size_t kHeaderSize = 24;
constexpr std::size_t kRunHeadSize = 16;
constexpr std::uint64_t kTrailerOffset = std::numeric_limits<std::uint64_t>::max();

template <typename Number>
void append(std::string& bytes, Number number) {
  for (unsigned shift = 0; shift < 8 * sizeof(Number); shift += 8)
    bytes += static_cast<char>(static_cast<unsigned char>(number >> shift));
}

template <typename Number>
Number number_at(std::string_view bytes, std::size_t at) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    number |= static_cast<Number>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return number;
}

std::string run_head(std::uint64_t offset, std::size_t length) {
  std::string head;
  append(head, offset);
  append(head, static_cast<std::uint32_t>(length));
  append(head, std::uint32_t{0});
  return head;
}

Failure damaged(std::string_view what) {
  return fail(Code::kOutOfRange, "the stream of blocks is damaged: {}", what);
}

}  // namespace

bool is_zero(std::string_view bytes) {
  return bytes.empty() || (bytes.front() == '\0' &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

BlockStreamWriter::BlockStreamWriter(std::uint64_t device_size) : device_size_(device_size) {}

std::string BlockStreamWriter::header() {
  std::string bytes{kMagic};
  append(bytes, static_cast<std::uint32_t>(kBlockSize));
  append(bytes, std::uint32_t{0});
  append(bytes, device_size_);
  sha256_.add(bytes);
  return bytes;
}

std::string BlockStreamWriter::runs(std::string_view content) {
  std::string bytes;
  const auto block = [content](std::size_t at) { return content.substr(at, kBlockSize); };
  for (std::size_t at = 0; at < content.size();) {
    if (is_zero(block(at))) {
      at += kBlockSize;
      continue;
    }
    std::size_t end = at;
    while (end < content.size() && !is_zero(block(end)))
      end = std::min(end + kBlockSize, content.size());
    bytes += run_head(offset_ + at, end - at);
    bytes += content.substr(at, end - at);
    at = end;
  }
  offset_ += content.size();
  sha256_.add(bytes);
  return bytes;
}

std::string BlockStreamWriter::trailer() {
  hash_ = sha256_.finish();
  return run_head(kTrailerOffset, hash_.size()) + hash_;
}

std::size_t BlockStreamReader::wanted() const {
  switch (part_) {
    case Part::kHeader:
      return kHeaderSize;
    case Part::kRunHead:
      return kRunHeadSize;
    case Part::kRunData:
      return length_;
    case Part::kTrailer:
      return transfers::Sha256::kSize;
    case Part::kEnd:
      break;
  }
  return 0;
}

Status BlockStreamReader::add(std::string_view bytes) {
  while (!bytes.empty()) {
    if (part_ == Part::kEnd) return damaged("data follows the trailer");
    const std::size_t count = std::min(wanted() - pending_.size(), bytes.size());
    pending_.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    if (pending_.size() < wanted()) return {};
    Status taken;
    switch (part_) {
      case Part::kHeader:
        taken = take_header(pending_);
        break;
      case Part::kRunHead:
        taken = take_run_head(pending_);
        break;
      case Part::kRunData:
        sha256_.add(pending_);
        taken = target_.write(offset_, pending_);
        end_ = offset_ + length_;
        part_ = Part::kRunHead;
        break;
      case Part::kTrailer:
        taken = take_trailer(pending_);
        break;
      case Part::kEnd:
        break;
    }
    if (!taken) return taken;
    pending_.clear();
  }
  return {};
}

Status BlockStreamReader::take_header(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return damaged("it has no header");
  if (number_at<std::uint32_t>(bytes, 8) != kBlockSize) return damaged("unknown block size");
  device_size_ = number_at<std::uint64_t>(bytes, 16);
  sha256_.add(bytes);
  part_ = Part::kRunHead;
  return target_.begin(device_size_);
}

Status BlockStreamReader::take_run_head(std::string_view bytes) {
  offset_ = number_at<std::uint64_t>(bytes, 0);
  length_ = number_at<std::uint32_t>(bytes, 8);
  if (number_at<std::uint32_t>(bytes, 12) != 0) return damaged("invalid header of a run");
  if (offset_ == kTrailerOffset) {
    if (length_ != transfers::Sha256::kSize) return damaged("invalid trailer");
    part_ = Part::kTrailer;
    return {};
  }
  if (offset_ % kBlockSize != 0 || offset_ < end_ || offset_ >= device_size_ || length_ == 0 ||
      length_ > kMaxRun || length_ > device_size_ - offset_)
    return damaged("invalid offset or length of a run");
  sha256_.add(bytes);
  part_ = Part::kRunData;
  return {};
}

Status BlockStreamReader::take_trailer(std::string_view bytes) {
  hash_ = sha256_.finish();
  if (bytes != hash_) return damaged("the hash does not match");
  part_ = Part::kEnd;
  return {};
}

Status BlockStreamReader::finish() const {
  if (part_ == Part::kEnd) return {};
  return damaged("it ends before the trailer");
}

}  // namespace lvmd::transfers::mover
