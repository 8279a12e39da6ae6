// LVM's metadata text as a tree of sections with typed, checked access.
#pragma once

#include <libdevmapper.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_c.hpp"

namespace lvmd::metadata {

// One "{ ... }" of the text. A view: valid as long as the tree it came from. Errors are
// Unimplemented (a verified text that isn't understood) and name the key with the section's path.
class ConfigSection {
 public:
  ConfigSection(const dm_config_node* first, std::string path)
      : first_(first), path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] bool has(const char* key) const;
  // A whole number that isn't negative and at most `max`.
  [[nodiscard]] Result<std::uint64_t> number(const char* key, std::uint64_t max = INT64_MAX) const;
  // `absent` when there is no such key.
  [[nodiscard]] Result<std::uint64_t> number_or(const char* key, std::uint64_t absent) const;
  [[nodiscard]] Result<std::string> text(const char* key) const;
  // Empty when there is no such key.
  [[nodiscard]] Result<std::string> text_or_empty(const char* key) const;
  // Empty when there is no such key.
  [[nodiscard]] Result<std::vector<std::string>> texts(const char* key) const;
  // A list of (text, number) pairs: the areas of a segment.
  [[nodiscard]] Result<std::vector<std::pair<std::string, std::uint64_t>>> areas(
      const char* key) const;
  // Absent when there is no such section.
  [[nodiscard]] std::vector<std::pair<std::string, ConfigSection>> sections() const;

 private:
  [[nodiscard]] const dm_config_node* find(const char* key) const;

  const dm_config_node* first_;
  std::string path_;
};

class ConfigTree {
 public:
  // Unimplemented when the text is no configuration text of LVM, or is nested deeper than LVM
  // nests.
  [[nodiscard]] static Result<ConfigTree> parse(const std::string& text);

  [[nodiscard]] ConfigSection root() const;

 private:
  using Handle = UniqueC<dm_config_tree, &dm_config_destroy>;
  explicit ConfigTree(Handle tree) : tree_(std::move(tree)) {}

  Handle tree_;
};

}  // namespace lvmd::metadata
