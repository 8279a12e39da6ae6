#include "lvmd/metadata/fields.hpp"

#include <algorithm>

namespace lvmd::metadata {
namespace {

constexpr std::size_t kFieldIdLength = 32;

}  // namespace

Result<std::string> parse_id(const ConfigSection& section) {
  auto id = section.text("id");
  if (!id) return id;
  std::erase(*id, '-');
  if (id->size() != kFieldIdLength)
    return fail(Code::kUnimplemented, "{}/id is not an LVM UUID", section.path());
  return id;
}

Result<std::vector<std::string>> parse_words(const ConfigSection& section, const char* key,
                                             std::span<const std::string_view> known) {
  auto words = section.texts(key);
  if (!words) return words;
  for (const std::string& word : *words)
    if (std::ranges::find(known, word) == known.end())
      return fail(Code::kUnimplemented, "{}/{} has {}, which lvmd doesn't read from metadata",
                  section.path(), key, word);
  return words;
}

}  // namespace lvmd::metadata
