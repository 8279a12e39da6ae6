// One mapping of the configuration file, read key by key. Wrong types, unknown and repeated keys
// are found here, with their places; the callers know the keys' meaning.
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

// A list item and where it stands.
struct ListItem {
  std::string text;
  Place place;
};

// Each reader of a key answers nothing when the key is absent, null or of the wrong type; the last
// has been reported then. A key that no reader asked for is unknown.
class Mapping {
 public:
  // `node` is a mapping that stands at `place`. `findings` must outlive the object.
  Mapping(const YAML::Node& node, Place place, Findings& findings);

  // Whether the key is there and not null.
  [[nodiscard]] bool has(std::string_view key) { return find(key) != nullptr; }
  [[nodiscard]] std::optional<std::string> text(std::string_view key);
  // Reports an absent or empty value too.
  [[nodiscard]] std::optional<std::string> required_text(std::string_view key);
  [[nodiscard]] std::optional<bool> boolean(std::string_view key);
  [[nodiscard]] std::optional<double> number(std::string_view key);
  // Reports a negative one and one above `max`, which is below 2^53.
  [[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view key, std::uint64_t max);
  // Empty when the key is absent; without the items that were reported.
  [[nodiscard]] std::vector<ListItem> items(std::string_view key);
  [[nodiscard]] std::optional<Mapping> mapping(std::string_view key);
  // Empty when the key is absent; nothing only when an item or the list was reported.
  [[nodiscard]] std::optional<std::vector<Mapping>> mappings(std::string_view key);

  // For `key`, at its line, or at the mapping's when it is absent.
  void error(std::string_view key, std::string_view reason) const;
  void error(const ListItem& item, std::string_view reason) const;
  void warning(std::string_view key, std::string_view reason) const;
  void warning(const ListItem& item, std::string_view reason) const;

  // Warns of each key that was not asked for so far: call it last.
  void report_unknown_keys() const;

 private:
  // Null when `key` is absent or its value null.
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
