#include "lvmd/config/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "lvmd/config/node.hpp"

namespace lvmd::config {
namespace {

// Limits the recursion if an anchor merges itself.
constexpr int kMaxMergeDepth = 8;

class EntryReader {
 public:
  EntryReader(const Place& place, Findings& findings) : place_(place), findings_(findings) {}

  void add(const YAML::Node& node, int merge_depth) {
    const std::size_t first_of_node = entries_.size();
    std::vector<Entry> merges;
    for (const auto& pair : node) {
      const int line = line_of(pair.first);
      if (!pair.first.IsScalar()) {
        findings_.error({.line = line, .key = place_.key}, expected("a key", pair.first));
        continue;
      }
      const std::string& key = pair.first.Scalar();
      if (key == "<<" && pair.first.Tag() != "!")
        merges.push_back({.key = key, .line = line, .value = pair.second});
      else
        add({.key = key, .line = line, .value = pair.second}, first_of_node);
    }
    for (const Entry& merge : merges) add_merged(merge, merge_depth + 1);
  }

  std::vector<Entry> take() && { return std::move(entries_); }

 private:
  void add(Entry entry, std::size_t first_of_node) {
    const auto earlier = std::ranges::find_if(
        entries_, [&entry](const Entry& other) { return is_same_key(other.key, entry.key); });
    if (earlier == entries_.end())
      entries_.push_back(std::move(entry));
    else if (earlier >= entries_.begin() + static_cast<std::ptrdiff_t>(first_of_node))
      findings_.error(place_in(place_, entry.key, entry.line),
                      fmt::format("is given twice; the first is on line {}", earlier->line));
  }

  // "<<: *anchor" or "<<: [*one, *two]".
  void add_merged(const Entry& merge, int depth) {
    const Place place = place_in(place_, merge.key, merge.line);
    const bool is_list =
        merge.value.IsSequence() &&
        std::ranges::all_of(merge.value, [](const YAML::Node& n) { return n.IsMap(); });
    if (depth > kMaxMergeDepth)
      findings_.error(place, "merges mappings that are nested too deeply");
    else if (merge.value.IsMap())
      add(merge.value, depth);
    else if (is_list)
      for (const YAML::Node& part : merge.value) add(part, depth);
    else
      findings_.error(place, expected("a mapping or a list of mappings", merge.value));
  }

  const Place& place_;
  Findings& findings_;
  std::vector<Entry> entries_;
};

}  // namespace

bool is_same_key(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

Place place_in(const Place& mapping, std::string_view key, int line) {
  return {.line = line,
          .key = mapping.key.empty() ? std::string{key} : fmt::format("{}.{}", mapping.key, key)};
}

std::vector<Entry> read_entries(const YAML::Node& node, const Place& place, Findings& findings) {
  EntryReader reader{place, findings};
  reader.add(node, 0);
  return std::move(reader).take();
}

}  // namespace lvmd::config
