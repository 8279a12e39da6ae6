#include "lvmd/metadata/config_tree.hpp"

#include <algorithm>
#include <new>

namespace lvmd::metadata {
namespace {

// LVM uses at most five levels (group, list, volume, segment, messages of a thin pool).
// libdevmapper's parser is recursive, so the depth of a malicious text must be limited.
constexpr int kMaxDepth = 8;

bool is_nested_too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '{') {
      if (++depth > kMaxDepth) return true;
    } else if (c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

bool ConfigSection::has(const char* key) const { return find(key) != nullptr; }

const dm_config_node* ConfigSection::find(const char* key) const {
  for (const dm_config_node* node = first_; node != nullptr; node = node->sib)
    if (std::string_view{node->key} == key) return node;
  return nullptr;
}

Result<std::uint64_t> ConfigSection::number(const char* key, std::uint64_t max) const {
  const dm_config_node* const node = find(key);
  if (node == nullptr || node->v == nullptr || node->v->type != DM_CFG_INT || node->v->v.i < 0 ||
      static_cast<std::uint64_t>(node->v->v.i) > max)
    return fail(Code::kUnimplemented, "{}/{} is not a number from 0 to {}", path_, key, max);
  return static_cast<std::uint64_t>(node->v->v.i);
}

Result<std::uint64_t> ConfigSection::number_or(const char* key, std::uint64_t absent) const {
  if (!has(key)) return absent;
  return number(key);
}

Result<std::string> ConfigSection::text(const char* key) const {
  const dm_config_node* const node = find(key);
  if (node == nullptr || node->v == nullptr || node->v->type != DM_CFG_STRING)
    return fail(Code::kUnimplemented, "{}/{} is not a string", path_, key);
  return std::string{node->v->v.str};
}

Result<std::string> ConfigSection::text_or_empty(const char* key) const {
  if (!has(key)) return std::string{};
  return text(key);
}

Result<std::vector<std::string>> ConfigSection::texts(const char* key) const {
  std::vector<std::string> result;
  const dm_config_node* const node = find(key);
  if (node == nullptr) return result;
  for (const dm_config_value* value = node->v; value != nullptr; value = value->next) {
    if (value->type == DM_CFG_EMPTY_ARRAY) break;
    if (value->type != DM_CFG_STRING)
      return fail(Code::kUnimplemented, "{}/{} is not a list of strings", path_, key);
    result.emplace_back(value->v.str);
  }
  return result;
}

Result<std::vector<std::pair<std::string, std::uint64_t>>> ConfigSection::areas(
    const char* key) const {
  std::vector<std::pair<std::string, std::uint64_t>> result;
  const dm_config_node* const node = find(key);
  for (const dm_config_value* name = node != nullptr ? node->v : nullptr; name != nullptr;) {
    const dm_config_value* const start = name->next;
    if (name->type != DM_CFG_STRING || start == nullptr || start->type != DM_CFG_INT ||
        start->v.i < 0)
      return fail(Code::kUnimplemented, "{}/{} is not a list of areas", path_, key);
    result.emplace_back(name->v.str, static_cast<std::uint64_t>(start->v.i));
    name = start->next;
  }
  return result;
}

std::vector<std::pair<std::string, ConfigSection>> ConfigSection::sections() const {
  std::vector<std::pair<std::string, ConfigSection>> result;
  for (const dm_config_node* node = first_; node != nullptr; node = node->sib)
    if (node->v == nullptr)
      result.emplace_back(node->key,
                          ConfigSection{node->child, path_.empty() ? std::string{node->key}
                                                                   : path_ + '/' + node->key});
  return result;
}

Result<ConfigTree> ConfigTree::parse(const std::string& text) {
  if (is_nested_too_deep(text))
    return fail(Code::kUnimplemented, "the metadata text is nested deeper than {}", kMaxDepth);
  Handle tree{dm_config_create()};
  if (!tree) throw std::bad_alloc{};
  // The check for duplicate keys takes quadratic time. LVM skips it, too.
  if (dm_config_parse_without_dup_node_check(tree.get(), text.data(), text.data() + text.size()) ==
      0)
    return fail(Code::kUnimplemented, "the metadata text cannot be parsed");
  return ConfigTree{std::move(tree)};
}

ConfigSection ConfigTree::root() const { return ConfigSection{tree_->root, ""}; }

}  // namespace lvmd::metadata
