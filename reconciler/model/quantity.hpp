// Kubernetes quantities ("1.5Gi", "500M", "1e9") as whole bytes. Rules: docs/reconciler.md,
// R-QTY-*.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler {

// Signed, like the sizes of the wire protocol.
struct Bytes {
  std::int64_t value = 0;

  friend auto operator<=>(Bytes, Bytes) = default;
};

// The size of a thick volume is a multiple of this.
inline constexpr std::int64_t kBlockSize = 4096;

// The exact value of the quantity. A fraction of a byte is rounded away from zero [R-QTY-1,
// R-QTY-2]. InvalidArgument, naming the text, when it is not a quantity or does not fit into 63
// bits.
[[nodiscard]] Result<Bytes> parse_quantity(std::string_view text);

// The size of the volume for `spec.size`: positive, and rounded up to kBlockSize. Otherwise
// InvalidArgument naming spec.size and the value [R-QTY-3].
[[nodiscard]] Result<Bytes> parse_wanted_size(std::string_view text);

// With the largest of Ki..Ei that divides the value, otherwise without a suffix [R-QTY-4].
[[nodiscard]] std::string format_quantity(Bytes bytes);

}  // namespace lvmd::reconciler
