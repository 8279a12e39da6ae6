// LVM's metadata text is a group, whose report follows from it, or an error. libdevmapper reads the
// same sections and values from it.
#include <libdevmapper.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/group_parser.hpp"
#include "lvmd/state/assemble.hpp"

using namespace lvmd::metadata;
using namespace lvmd::state;

namespace {

// NOLINTNEXTLINE(cert-dcl50-cpp): the type is libdevmapper's
void print_nothing(int /*level*/, const char* /*file*/, int /*line*/, int /*error*/,
                   const char* /*format*/, ...) {}

void must(bool holds) {
  if (!holds) std::abort();
}

// The value of the first node with this key.
void compare_value(const ConfigSection& section, const dm_config_node& node) {
  const dm_config_value* const value = node.v;
  // libdevmapper does not tell a value from a list with one element.
  if (const auto number = section.number(node.key); number)
    must(value->type == DM_CFG_INT && static_cast<std::uint64_t>(value->v.i) == *number);
  const auto texts = section.texts(node.key);
  std::size_t count = 0;
  bool are_texts = true;
  for (const dm_config_value* each = value; each != nullptr; each = each->next) {
    if (each->type == DM_CFG_EMPTY_ARRAY) break;
    are_texts = are_texts && each->type == DM_CFG_STRING;
    if (texts && are_texts) must(count < texts->size() && (*texts)[count] == each->v.str);
    ++count;
  }
  must(texts.has_value() == are_texts);
  if (texts) must(texts->size() == count);
}

void compare(const ConfigSection& section, const dm_config_node* first) {
  const auto children = section.sections();
  std::size_t child = 0;
  for (const dm_config_node* node = first; node != nullptr; node = node->sib) {
    if (node->v == nullptr) {
      must(child < children.size() && children[child].first == node->key);
      compare(children[child].second, node->child);
      ++child;
      continue;
    }
    const dm_config_node* earlier = first;
    while (std::string_view{earlier->key} != node->key) earlier = earlier->sib;
    if (earlier == node) compare_value(section, *node);
  }
  must(child == children.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{reinterpret_cast<const char*>(data), size};
  const auto tree = ConfigTree::parse(text);
  if (!tree) return 0;
  dm_log_with_errno_init(&print_nothing);
  const std::unique_ptr<dm_config_tree, decltype(&dm_config_destroy)> other{dm_config_create(),
                                                                            &dm_config_destroy};
  must(dm_config_parse_without_dup_node_check(other.get(), text.data(),
                                              text.data() + text.size()) != 0);
  compare(tree->root(), other->root);
  const auto group = parse_group(*tree, "vg1", "");
  if (!group) {
    must(!group.error().message.empty());
    return 0;
  }
  static_cast<void>(assemble(*group, {}));
  return 0;
}
