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

Result<std::vector<std::string>> parse_flags(const ConfigSection& section, std::string_view key,
                                             std::span<const std::string_view> known) {
  auto flags = section.texts(key);
  if (!flags) return flags;
  for (const std::string& flag : *flags)
    if (std::ranges::find(known, flag) == known.end())
      return fail(Code::kUnimplemented, "{}/{} contains {}, which lvmd cannot read from metadata",
                  section.path(), key, flag);
  return flags;
}

}  // namespace lvmd::metadata
