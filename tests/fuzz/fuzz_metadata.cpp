// LVM's metadata text is a group, whose report follows from it, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/group_parser.hpp"
#include "lvmd/state/assemble.hpp"

using namespace lvmd::metadata;
using namespace lvmd::state;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{reinterpret_cast<const char*>(data), size};
  const auto tree = ConfigTree::parse(text);
  if (!tree) return 0;
  const auto group = parse_group(*tree, "vg1", "");
  if (!group) {
    if (group.error().message.empty()) std::abort();
    return 0;
  }
  static_cast<void>(assemble(*group, {}));
  return 0;
}
