#include "lvmd/model/ownership.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "lvmd/base/parse_number.hpp"
#include "lvmd/model/names.hpp"

namespace lvmd::model {
namespace {

constexpr std::string_view kClass = "class=";
constexpr std::string_view kSize = "size=";
constexpr std::string_view kOption = "opt=";
constexpr std::string_view kSource = "src=";
constexpr std::string_view kAccess = "access=";
constexpr std::string_view kRestore = "restore=";
constexpr std::string_view kRestored = "restored=";
constexpr std::string_view kOwner = "owner=";
constexpr std::array<std::string_view, 5> kIdentity{kClass, kSize, kOption, kSource, kAccess};
constexpr std::size_t kMaxKey = 32;

// The value of the tag lvmd.v1:<key>; absent if there is no such tag.
std::optional<std::string_view> find_value(std::span<const std::string> tags,
                                           std::string_view key) {
  for (const std::string_view tag : tags) {
    if (!is_private_tag(tag)) continue;
    const std::string_view rest = tag.substr(kPrivateTagPrefix.size());
    if (rest.starts_with(key)) return rest.substr(key.size());
  }
  return std::nullopt;
}

}  // namespace

bool is_private_tag(std::string_view tag) { return tag.starts_with(kPrivateTagPrefix); }

std::vector<std::string> to_tags(const Ownership& ownership) {
  std::vector<std::string> tags;
  const auto add = [&tags](std::string_view key, std::string_view value) {
    if (!value.empty()) tags.push_back(fmt::format("{}{}{}", kPrivateTagPrefix, key, value));
  };
  add(kClass, ownership.device_class);
  add(kSize, fmt::format("{}", ownership.size.value));
  add(kOption, ownership.option_class);
  add(kSource, ownership.source);
  add(kAccess, ownership.access_type);
  return tags;
}

std::optional<Ownership> ownership_of(std::span<const std::string> tags) {
  const auto device_class = find_value(tags, kClass);
  const auto size = parse_number<std::uint64_t>(find_value(tags, kSize).value_or(""));
  if (!device_class || !size) return std::nullopt;
  return Ownership{
      .device_class = std::string{*device_class},
      .size = {*size},
      .option_class = std::string{find_value(tags, kOption).value_or("")},
      .source = std::string{find_value(tags, kSource).value_or("")},
      .access_type = std::string{find_value(tags, kAccess).value_or("")},
  };
}

std::string_view private_key(std::string_view tag) {
  if (!is_private_tag(tag)) return {};
  tag.remove_prefix(kPrivateTagPrefix.size());
  const std::size_t equals = tag.find('=');
  return equals == std::string_view::npos ? std::string_view{} : tag.substr(0, equals);
}

Status check_mark(std::string_view tag) {
  const std::string_view key = private_key(tag);
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  if (key.empty() || key.size() > kMaxKey || !std::ranges::all_of(key, is_small) ||
      tag.size() <= kPrivateTagPrefix.size() + key.size() + 1)
    return fail(Code::kInvalidArgument, "tag \"{}\" is not of the form {}KEY=VALUE", tag,
                kPrivateTagPrefix);
  const std::string_view rest = tag.substr(kPrivateTagPrefix.size());
  if (std::ranges::any_of(kIdentity, [&](auto identity) { return rest.starts_with(identity); }))
    return fail(Code::kInvalidArgument,
                "tag \"{}\" records how the volume was created and cannot change", tag);
  return check_lvm_tag("tag", tag);
}

std::string restore_begun_tag(std::string_view id) {
  return fmt::format("{}{}{}", kPrivateTagPrefix, kRestore, id);
}

std::string restore_completed_tag(std::string_view id) {
  return fmt::format("{}{}{}", kPrivateTagPrefix, kRestored, id);
}

std::optional<std::string_view> restore_begun(std::span<const std::string> tags) {
  return find_value(tags, kRestore);
}

std::optional<std::string_view> restore_completed(std::span<const std::string> tags) {
  return find_value(tags, kRestored);
}

std::string owner_tag(std::string_view owner) {
  return fmt::format("{}{}{}", kPrivateTagPrefix, kOwner, owner);
}

std::optional<std::string_view> owner_of(std::span<const std::string> tags) {
  return find_value(tags, kOwner);
}

std::vector<std::string> caller_tags(std::span<const std::string> tags) {
  std::vector<std::string> result;
  std::ranges::copy_if(tags, std::back_inserter(result),
                       [](std::string_view tag) { return !is_private_tag(tag); });
  return result;
}

}  // namespace lvmd::model
