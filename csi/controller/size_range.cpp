#include "csi/controller/size_range.hpp"

#include <algorithm>
#include <limits>

#include "lvmd/base/reason.hpp"

namespace lvmd::controller {
namespace {

using reconciler::Bytes;
using reconciler::kBlockSize;

constexpr std::int64_t kMaxSize =
    std::numeric_limits<std::int64_t>::max() / kBlockSize * kBlockSize;

std::int64_t round_down(std::int64_t size) { return size / kBlockSize * kBlockSize; }

}  // namespace

Result<SizeRange> parse_range(const api::CapacityRange& range) {
  if (range.required_bytes() < 0)
    return fail(Code::kInvalidArgument, "capacity_range.required_bytes {} is negative",
                range.required_bytes())
        .about("capacity_range.required_bytes", range.required_bytes());
  if (range.limit_bytes() < 0)
    return fail(Code::kInvalidArgument, "capacity_range.limit_bytes {} is negative",
                range.limit_bytes())
        .about("capacity_range.limit_bytes", range.limit_bytes());
  const SizeRange parsed{.required = range.required_bytes(), .limit = range.limit_bytes()};
  if (parsed.limit != 0 && parsed.required > parsed.limit)
    return fail(Code::kInvalidArgument,
                "capacity_range.limit_bytes {} is below capacity_range.required_bytes {}",
                parsed.limit, parsed.required)
        .about("capacity_range.limit_bytes", parsed.limit);
  return parsed;
}

Result<Bytes> wanted_size(const SizeRange& range, std::optional<Bytes> source) {
  const std::int64_t least = source ? source->value : 0;
  if (range.required != 0 && range.required < least)
    return fail(Code::kOutOfRange,
                "capacity_range.required_bytes {} is below the size of the source, {} bytes",
                range.required, least)
        .because(reason::kSmallerThanSource);
  std::int64_t size = range.required != 0 ? range.required : least;
  if (size == 0)
    size = range.limit == 0 ? kDefaultSize : std::min(kDefaultSize, round_down(range.limit));
  if (size > kMaxSize)
    return fail(Code::kOutOfRange, "capacity_range.required_bytes {} is above the maximum, {}",
                range.required, kMaxSize)
        .because(reason::kInvalidSize);
  const std::int64_t rounded = size % kBlockSize == 0 ? size : round_down(size) + kBlockSize;
  if (rounded == 0 || (range.limit != 0 && rounded > range.limit))
    return fail(Code::kOutOfRange,
                "capacity_range.limit_bytes {} is too small: the size must be a multiple of {} "
                "bytes and at least {}",
                range.limit, kBlockSize, std::max(rounded, kBlockSize))
        .because(reason::kInvalidSize);
  return Bytes{rounded};
}

}  // namespace lvmd::controller
