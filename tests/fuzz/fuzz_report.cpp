// LVM's report is a group whose volumes have names and sizes, or an error that says why.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lvmd/report/report_reader.hpp"

using namespace lvmd;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto group = report::parse_report(text, "vg1");
  if (!group) {
    if (group.error().message.empty()) std::abort();
    return 0;
  }
  if (group->name != "vg1") std::abort();
  return 0;
}
