// The field capacity_range of a request. Pure. Rules: C-SIZE-*.
#pragma once

#include <cstdint>
#include <optional>

#include "csi/controller/api.hpp"
#include "lvmd/base/result.hpp"
#include "reconciler/model/quantity.hpp"

namespace lvmd::controller {

// The size of a volume for which nothing is requested.
inline constexpr std::int64_t kDefaultSize = std::int64_t{1} << 30;

// In bytes; 0: nothing is requested, or there is no limit.
struct SizeRange {
  std::int64_t required = 0;
  std::int64_t limit = 0;

  [[nodiscard]] bool contains(reconciler::Bytes size) const {
    return size.value >= required && (limit == 0 || size.value <= limit);
  }
};

// InvalidArgument when a value is negative, or the limit is below the required size.
[[nodiscard]] Result<SizeRange> parse_range(const api::CapacityRange& range);

// The size to request for a volume: a multiple of reconciler::kBlockSize. `source` is the size of
// the volume whose content it gets. OutOfRange when no such size is in the range, or the range does
// not reach the size of the source.
[[nodiscard]] Result<reconciler::Bytes> wanted_size(const SizeRange& range,
                                                    std::optional<reconciler::Bytes> source);

}  // namespace lvmd::controller
