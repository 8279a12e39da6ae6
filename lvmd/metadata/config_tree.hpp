// LVM's metadata text as a tree of sections with typed access.
//
// The parser accepts the syntax in which LVM writes metadata, which is a part of that of
// lvm.conf(5): keys without quotes and '/', lists with brackets and commas. It copies nothing, and
// is several times as fast as libdevmapper's, which allocates each node and each string.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::metadata {

// A section, a value, or an element of a list.
struct ConfigNode {
  enum class Kind : std::uint8_t { kSection, kList, kText, kNumber, kFraction };

  // Empty: an element of a list, or the root.
  std::string_view key{};
  // Of a text: with its escapes.
  std::string_view text{};
  std::int64_t number = 0;
  // Indexes of other nodes. 0: none. The first child of a section or a list, and the next node of
  // the same section or list.
  std::uint32_t child = 0;
  std::uint32_t next = 0;
  std::uint32_t parent = 0;
  Kind kind = Kind::kSection;
};

// A view of one section "{ ... }" of the text; valid as long as its tree. Errors are
// Unimplemented (lvmd does not understand an intact text) and name the path of the key. Of several
// keys with the same name, the first one counts.
class ConfigSection {
 public:
  ConfigSection(const ConfigNode* nodes, std::uint32_t index) : nodes_(nodes), index_(index) {}

  // "group/logical_volumes/lv1".
  [[nodiscard]] std::string path() const;

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  // A whole number from 0 to `max`.
  [[nodiscard]] Result<std::uint64_t> number(std::string_view key,
                                             std::uint64_t max = INT64_MAX) const;
  // As number(), or `absent` if there is no such key.
  [[nodiscard]] Result<std::uint64_t> number_or(std::string_view key, std::uint64_t absent) const;
  [[nodiscard]] Result<std::string> text(std::string_view key) const;
  // As text(), or empty if there is no such key.
  [[nodiscard]] Result<std::string> text_or_empty(std::string_view key) const;
  // A list of strings, or empty if there is no such key. A string alone is a list, too.
  [[nodiscard]] Result<std::vector<std::string>> texts(std::string_view key) const;
  // A list of (string, number) pairs: the areas of a segment. Empty if there is no such key.
  [[nodiscard]] Result<std::vector<std::pair<std::string, std::uint64_t>>> areas(
      std::string_view key) const;
  // The subsections with their names, in the order of the text.
  [[nodiscard]] std::vector<std::pair<std::string_view, ConfigSection>> sections() const;

 private:
  [[nodiscard]] const ConfigNode* find(std::string_view key) const;
  // The number of nodes from this one on.
  [[nodiscard]] std::size_t count(std::uint32_t first) const;
  // The elements of the list `key`. A single value is a list with one element.
  [[nodiscard]] std::vector<const ConfigNode*> elements(std::string_view key) const;

  // All nodes of the tree.
  const ConfigNode* nodes_;
  std::uint32_t index_;
};

class ConfigTree {
 public:
  // Unimplemented if the text does not have the syntax, or is nested too deeply. The tree refers to
  // the text, which must live as long.
  [[nodiscard]] static Result<ConfigTree> parse(const std::string& text);
  static Result<ConfigTree> parse(std::string&& text) = delete;

  [[nodiscard]] ConfigSection root() const { return {nodes_.data(), 0}; }

 private:
  explicit ConfigTree(std::vector<ConfigNode> nodes) : nodes_(std::move(nodes)) {}

  std::vector<ConfigNode> nodes_;
};

}  // namespace lvmd::metadata
