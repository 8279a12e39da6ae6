// LVM's metadata text as a tree of sections with typed access.
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

// A view of one section "{ ... }" of the text; valid as long as its tree. Errors are Unimplemented
// (lvmd does not understand an intact text) and name the path of the key.
class ConfigSection {
 public:
  ConfigSection(const dm_config_node* first, std::string path)
      : first_(first), path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] bool has(const char* key) const;
  // A whole number from 0 to `max`.
  [[nodiscard]] Result<std::uint64_t> number(const char* key, std::uint64_t max = INT64_MAX) const;
  // As number(), or `absent` if there is no such key.
  [[nodiscard]] Result<std::uint64_t> number_or(const char* key, std::uint64_t absent) const;
  [[nodiscard]] Result<std::string> text(const char* key) const;
  // As text(), or empty if there is no such key.
  [[nodiscard]] Result<std::string> text_or_empty(const char* key) const;
  // A list of strings, or empty if there is no such key.
  [[nodiscard]] Result<std::vector<std::string>> texts(const char* key) const;
  // A list of (string, number) pairs: the areas of a segment. Empty if there is no such key.
  [[nodiscard]] Result<std::vector<std::pair<std::string, std::uint64_t>>> areas(
      const char* key) const;
  // The subsections with their names, in the order of the text.
  [[nodiscard]] std::vector<std::pair<std::string, ConfigSection>> sections() const;

 private:
  [[nodiscard]] const dm_config_node* find(const char* key) const;

  const dm_config_node* first_;
  std::string path_;
};

class ConfigTree {
 public:
  // Unimplemented if the text is not in LVM's configuration syntax, or is nested too deeply.
  [[nodiscard]] static Result<ConfigTree> parse(const std::string& text);

  [[nodiscard]] ConfigSection root() const;

 private:
  using Handle = UniqueC<dm_config_tree, &dm_config_destroy>;
  explicit ConfigTree(Handle tree) : tree_(std::move(tree)) {}

  Handle tree_;
};

}  // namespace lvmd::metadata
