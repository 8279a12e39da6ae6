// Reads one mapping of the configuration file key by key. Detects wrong types, unknown keys and
// repeated keys.
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/config/entries.hpp"
#include "lvmd/config/findings.hpp"

namespace lvmd::config {

// An item of a list, and its place.
struct ListItem {
  std::string text;
  Place place;
};

// The functions that read a key return no value if the key is absent or null, or if the value has
// the wrong type, which they report. A key that no function has read counts as unknown.
class Mapping {
 public:
  // `node` is a mapping at `place`. `findings` must outlive the object.
  Mapping(const YAML::Node& node, Place place, Findings& findings);

  // True if the key is present and not null.
  [[nodiscard]] bool has(std::string_view key) { return find(key) != nullptr; }
  [[nodiscard]] std::optional<std::string> text(std::string_view key);
  // As text(). Also reports an absent or empty value.
  [[nodiscard]] std::optional<std::string> required_text(std::string_view key);
  [[nodiscard]] std::optional<bool> boolean(std::string_view key);
  [[nodiscard]] std::optional<double> number(std::string_view key);
  // As number(). Also reports a negative number, a fraction, and a number above `max`, which must
  // be below 2^53.
  [[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view key, std::uint64_t max);
  // The text items of a list. Empty if the key is absent. Without items that were reported.
  [[nodiscard]] std::vector<ListItem> items(std::string_view key);
  [[nodiscard]] std::optional<Mapping> mapping(std::string_view key);
  // The items of a list of mappings. An empty list if the key is absent; no value only if the list
  // or an item was reported.
  [[nodiscard]] std::optional<std::vector<Mapping>> mappings(std::string_view key);

  // Report an error or a warning for `key` at its line, or at the mapping's line if it is absent.
  void error(std::string_view key, std::string_view reason) const;
  void error(const ListItem& item, std::string_view reason) const;
  void warning(std::string_view key, std::string_view reason) const;
  void warning(const ListItem& item, std::string_view reason) const;

  // Reports a warning for each key that no function has read. Call it last.
  void report_unknown_keys() const;

 private:
  // Null if `key` is absent or its value is null.
  [[nodiscard]] const YAML::Node* find(std::string_view key);
  [[nodiscard]] std::optional<std::vector<YAML::Node>> list(std::string_view key);
  [[nodiscard]] Place place_of(std::string_view key) const;
  [[nodiscard]] Place place_of_item(std::string_view key, std::size_t index,
                                    const YAML::Node& item) const;
  [[nodiscard]] std::optional<std::string> text_of(const YAML::Node& node,
                                                   const Place& place) const;

  Place place_;
  Findings* findings_;
  std::vector<Entry> entries_;
  std::set<std::string, std::less<>> known_keys_;
};

}  // namespace lvmd::config
