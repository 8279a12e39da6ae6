#include "lvmd/config/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "lvmd/config/nearest_key.hpp"
#include "lvmd/config/node.hpp"

namespace lvmd::config {

Mapping::Mapping(const YAML::Node& node, Place place, Findings& findings)
    : place_(std::move(place)),
      findings_(&findings),
      entries_(read_entries(node, place_, findings)) {}

std::optional<std::string> Mapping::text(std::string_view key) {
  const YAML::Node* const node = find(key);
  return node == nullptr ? std::nullopt : text_of(*node, place_of(key));
}

std::optional<std::string> Mapping::required_text(std::string_view key) {
  if (!has(key)) {
    error(key, "is required");
    return std::nullopt;
  }
  auto value = text(key);
  if (!value || !value->empty()) return value;
  error(key, "must not be empty");
  return std::nullopt;
}

std::optional<bool> Mapping::boolean(std::string_view key) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->IsScalar()) {
    const Scalar value = resolve(*node);
    if (const bool* const boolean = std::get_if<bool>(&value)) return *boolean;
  }
  error(key, expected("true or false", *node));
  return std::nullopt;
}

std::optional<double> Mapping::number(std::string_view key) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->IsScalar()) {
    const Scalar value = resolve(*node);
    if (const double* const number = std::get_if<double>(&value)) return *number;
    if (const auto* const whole = std::get_if<std::uint64_t>(&value))
      return static_cast<double>(*whole);
  }
  error(key, expected("a number", *node));
  return std::nullopt;
}

std::optional<std::uint64_t> Mapping::whole_number(std::string_view key, std::uint64_t max) {
  // A double represents every whole number below 2^53 exactly.
  const std::optional<double> value = number(key);
  if (!value) return std::nullopt;
  const YAML::Node& node = *find(key);
  if (*value < 0)
    error(key, fmt::format("must not be negative: {}", node.Scalar()));
  else if (std::floor(*value) != *value)
    error(key, expected("a whole number", node));
  else if (*value > static_cast<double>(max))
    error(key, fmt::format("{} is too large: the maximum is {}", node.Scalar(), max));
  else
    return static_cast<std::uint64_t>(*value);
  return std::nullopt;
}

std::vector<ListItem> Mapping::items(std::string_view key) {
  std::vector<ListItem> result;
  const auto items = list(key);
  if (!items) return result;
  for (std::size_t i = 0; i < items->size(); ++i) {
    Place place = place_of_item(key, i, (*items)[i]);
    if (auto text = text_of((*items)[i], place))
      result.push_back({.text = std::move(*text), .place = std::move(place)});
  }
  return result;
}

std::optional<Mapping> Mapping::mapping(std::string_view key) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->IsMap()) return Mapping{*node, place_of(key), *findings_};
  error(key, expected("a mapping", *node));
  return std::nullopt;
}

std::optional<std::vector<Mapping>> Mapping::mappings(std::string_view key) {
  const auto items = list(key);
  if (!items) return std::nullopt;
  std::vector<Mapping> mappings;
  for (std::size_t i = 0; i < items->size(); ++i) {
    const YAML::Node& item = (*items)[i];
    Place place = place_of_item(key, i, item);
    if (item.IsMap())
      mappings.emplace_back(item, std::move(place), *findings_);
    else
      findings_->error(place, expected("a mapping", item));
  }
  if (mappings.size() != items->size()) return std::nullopt;
  return mappings;
}

void Mapping::error(std::string_view key, std::string_view reason) const {
  findings_->error(place_of(key), reason);
}

void Mapping::error(const ListItem& item, std::string_view reason) const {
  findings_->error(item.place, reason);
}

void Mapping::warning(std::string_view key, std::string_view reason) const {
  findings_->warning(place_of(key), reason);
}

void Mapping::warning(const ListItem& item, std::string_view reason) const {
  findings_->warning(item.place, reason);
}

void Mapping::report_unknown_keys() const {
  for (const Entry& entry : entries_) {
    const auto is_entry = [&entry](const std::string& key) { return is_same_key(key, entry.key); };
    const auto known = std::ranges::find_if(known_keys_, is_entry);
    if (known == known_keys_.end()) {
      const auto nearest = nearest_key(entry.key, {known_keys_.begin(), known_keys_.end()});
      warning(entry.key, nearest ? fmt::format("unknown key; did you mean \"{}\"?", *nearest)
                                 : "unknown key; it has no effect");
    } else if (*known != entry.key) {
      warning(entry.key, fmt::format("is read as \"{}\": use this spelling", *known));
    }
  }
}

const YAML::Node* Mapping::find(std::string_view key) {
  known_keys_.emplace(key);
  const auto found = std::ranges::find_if(
      entries_, [key](const Entry& entry) { return is_same_key(entry.key, key); });
  return found == entries_.end() || is_null(found->value) ? nullptr : &found->value;
}

std::optional<std::vector<YAML::Node>> Mapping::list(std::string_view key) {
  const YAML::Node* const node = find(key);
  if (node == nullptr) return std::vector<YAML::Node>{};
  if (node->IsSequence()) return std::vector<YAML::Node>(node->begin(), node->end());
  error(key, expected("a list", *node));
  return std::nullopt;
}

Place Mapping::place_of(std::string_view key) const {
  const auto found = std::ranges::find_if(
      entries_, [key](const Entry& entry) { return is_same_key(entry.key, key); });
  return place_in(place_, key, found == entries_.end() ? place_.line : found->line);
}

Place Mapping::place_of_item(std::string_view key, std::size_t index,
                             const YAML::Node& item) const {
  Place place = place_of(key);
  place.key += fmt::format("[{}]", index);
  place.line = line_of(item);
  return place;
}

std::optional<std::string> Mapping::text_of(const YAML::Node& node, const Place& place) const {
  if (!node.IsScalar()) {
    findings_->error(place, expected("text", node));
    return std::nullopt;
  }
  const Scalar value = resolve(node);
  if (is_shown_as_written(value, node.Scalar())) return node.Scalar();
  const std::string_view kind = std::holds_alternative<bool>(value) ? "a boolean" : "a number";
  findings_->error(place, fmt::format("{} is {} in YAML: put it in quotes", node.Scalar(), kind));
  return std::nullopt;
}

}  // namespace lvmd::config
