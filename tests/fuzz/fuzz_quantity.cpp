// A quantity that is read is the same after it was written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "reconciler/model/quantity.hpp"

using namespace lvmd::reconciler;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (const auto bytes = parse_quantity(text))
    if (parse_quantity(format_quantity(*bytes)) != *bytes) std::abort();
  if (const auto wanted = parse_wanted_size(text))
    if (wanted->value <= 0 || wanted->value % kBlockSize != 0) std::abort();
  return 0;
}
