// A record of the state directory that is read is the same after it was written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "reconciler/directory/record.hpp"

using namespace lvmd::reconciler;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{reinterpret_cast<const char*>(data), size};
  const Key key{.group = Group::kTopolvm, .name = "data"};
  const auto record = directory::parse_record(key, text);
  if (!record) return 0;
  const auto again = directory::parse_record(key, directory::format_record(*record));
  if (!again || *again != *record) std::abort();
  return 0;
}
