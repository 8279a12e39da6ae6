#include "lvmd/model/names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/model/ownership.hpp"

namespace lvmd::model {
namespace {

// LVM's NAME_LEN is 128, including the terminating zero.
constexpr std::size_t kMaxNameLength = 127;
// DM_NAME_LEN is 128, including the terminating zero. LVM reserves 10 characters for the longest
// suffix that it appends ("-real", "_tdata", ...).
constexpr std::size_t kMaxDeviceNameLength = 127 - 10;
constexpr std::size_t kMaxTagLength = 1024;
constexpr std::size_t kMaxTransferIdLength = 64;

constexpr std::array<std::string_view, 2> kReservedPrefixes{"snapshot", "pvmove"};
constexpr std::array<std::string_view, 17> kReservedParts{
    "_cdata",  "_cmeta", "_corig", "_cpool", "_cvol",  "_wcorig",  "_mimage", "_mlog", "_pmspare",
    "_rimage", "_rmeta", "_tdata", "_tmeta", "_vdata", "_vorigin", "_imeta",  "_iorig"};

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_name_character(char c) {
  return is_alphanumeric(c) || c == '_' || c == '.' || c == '+' || c == '-';
}

bool is_tag_character(char c) {
  return is_name_character(c) || std::string_view{"/=!:&#"}.contains(c);
}

Status check_stored_name(std::string_view field, std::string_view name) {
  if (name.empty()) return fail(Code::kInvalidArgument, "{} is empty", field);
  if (name.size() > kMaxNameLength)
    return fail(Code::kInvalidArgument, "{} has {} characters, at most {} are allowed: \"{}\"",
                field, name.size(), kMaxNameLength, name);
  if (name.front() == '-' || name == "." || name == "..")
    return fail(Code::kInvalidArgument, "{} \"{}\" must not start with '-' or be \".\" or \"..\"",
                field, name);
  if (!std::ranges::all_of(name, is_name_character))
    return fail(Code::kInvalidArgument,
                "{} \"{}\" has a character other than letters, digits, '_', '.', '+' and '-'",
                field, name);
  return {};
}

Status check_new_name(std::string_view field, std::string_view name,
                      std::string_view volume_group) {
  if (auto valid = check_stored_name(field, name); !valid) return valid;
  for (const std::string_view prefix : kReservedPrefixes)
    if (name.starts_with(prefix))
      return fail(Code::kInvalidArgument, "{} \"{}\" starts with \"{}\", which LVM reserves", field,
                  name, prefix);
  for (const std::string_view part : kReservedParts)
    if (name.contains(part))
      return fail(Code::kInvalidArgument, "{} \"{}\" contains \"{}\", which LVM reserves", field,
                  name, part);
  if (const std::size_t length = mapped_name(volume_group, name).size();
      length > kMaxDeviceNameLength)
    return fail(Code::kInvalidArgument,
                "{} \"{}\" is too long: its device name would have {} characters, at most {} are "
                "allowed",
                field, name, length, kMaxDeviceNameLength);
  return {};
}

Status check_stored_tag(std::string_view field, std::string_view tag) {
  if (tag.empty()) return fail(Code::kInvalidArgument, "{} has an empty tag", field);
  if (tag.size() > kMaxTagLength)
    return fail(Code::kInvalidArgument, "{} has a tag of {} characters, at most {} are allowed",
                field, tag.size(), kMaxTagLength);
  if (tag.front() == '-' || !std::ranges::all_of(tag, is_tag_character))
    return fail(Code::kInvalidArgument,
                "{}: tag \"{}\" starts with '-' or has a character other than letters, digits and "
                "_+.-/=!:&#",
                field, tag);
  return {};
}

Status check_tag(std::string_view field, std::string_view tag) {
  if (auto valid = check_stored_tag(field, tag); !valid) return valid;
  if (is_private_tag(tag))
    return fail(Code::kInvalidArgument, "{}: tag \"{}\" begins with \"{}\", which lvmd reserves",
                field, tag, kPrivateTagPrefix);
  return {};
}

// Adds reason, field and value to a failed check.
Status explain(Status checked, std::string_view reason, std::string_view field,
               std::string_view value) {
  if (checked) return checked;
  return std::unexpected(
      std::move(checked.error()).because(reason).with(key::kField, field).with(key::kValue, value));
}

}  // namespace

Status check_lv_name(std::string_view field, std::string_view name) {
  return explain(check_stored_name(field, name), reason::kInvalidName, field, name);
}

Status check_new_lv_name(std::string_view field, std::string_view name,
                         std::string_view volume_group) {
  return explain(check_new_name(field, name, volume_group), reason::kInvalidName, field, name);
}

Status check_lvm_tag(std::string_view field, std::string_view tag) {
  return explain(check_stored_tag(field, tag), reason::kInvalidTag, field, tag);
}

Status check_caller_tag(std::string_view field, std::string_view tag) {
  return explain(check_tag(field, tag), reason::kInvalidTag, field, tag);
}

Status check_transfer_id(std::string_view field, std::string_view id) {
  const auto is_valid = [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '_' || c == '-';
  };
  if (!id.empty() && id.size() <= kMaxTransferIdLength && id.front() != '.' && id.front() != '-' &&
      std::ranges::all_of(id, is_valid))
    return {};
  const std::string_view shown = id.substr(0, kMaxTransferIdLength);
  return fail(Code::kInvalidArgument,
              "{} \"{}\" is not valid: it must have 1 to {} letters, digits, '.', '_' and '-', and "
              "must not begin with '.' or '-'",
              field, shown, kMaxTransferIdLength)
      .because(reason::kInvalidName)
      .about(field, shown);
}

}  // namespace lvmd::model
