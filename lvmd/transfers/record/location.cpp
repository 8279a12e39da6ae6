#include "lvmd/transfers/record/location.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/mount_rules.hpp"

namespace lvmd::transfers {
namespace {

constexpr std::size_t kMaxLocation = 2048;
constexpr std::size_t kMaxOptionValue = 128;
constexpr std::array<std::string_view, 7> kOptions{
    "rest.connections", "s3.bucket-lookup", "s3.connections",  "s3.list-objects-v1",
    "s3.region",        "s3.retries",       "s3.storage-class"};

bool is_graphic(char c) { return c > ' ' && c < '\x7f'; }

// Returns the part between the scheme and the first '/', which would contain a user.
std::string_view authority(std::string_view url) {
  if (const std::size_t scheme = url.find("://"); scheme != std::string_view::npos)
    url.remove_prefix(scheme + 3);
  return url.substr(0, url.find('/'));
}

Status refuse(std::string_view field, std::string_view value, std::string_view why) {
  return fail(Code::kInvalidArgument, "{} {}", field, why).about(field, value);
}

}  // namespace

bool is_local(std::string_view location) { return location.starts_with('/'); }

Status check_location(std::string_view field, std::string_view location) {
  // The message does not repeat a location that may contain a password.
  if (location.empty() || location.size() > kMaxLocation)
    return refuse(field, "", fmt::format("must have 1 to {} characters", kMaxLocation));
  if (is_local(location)) {
    if (model::is_plain_path(location) &&
        std::ranges::none_of(location, [](char c) { return c < ' ' || c == '\x7f'; }))
      return {};
    return refuse(field, location,
                  fmt::format("\"{}\" contains empty, \".\" or \"..\" parts or control characters",
                              location));
  }
  if (!std::ranges::all_of(location, is_graphic))
    return refuse(field, "", "contains a blank, a control character or a non-ASCII character");
  const bool s3 = location.starts_with("s3:");
  const bool rest = location.starts_with("rest:http://") || location.starts_with("rest:https://");
  if (!s3 && !rest)
    return refuse(field, "",
                  "must be \"s3:…\", \"rest:http://…\", \"rest:https://…\" or an absolute path");
  const std::string_view host = authority(location.substr(location.find(':') + 1));
  if (host.empty()) return refuse(field, "", "contains no host");
  if (host.contains('@'))
    return refuse(field, "", "contains a user or password: put them into the credentials");
  return {};
}

Status check_option(std::string_view field, std::string_view name, std::string_view value) {
  if (!(std::ranges::find(kOptions, name) != kOptions.end()))
    return refuse(field, name,
                  fmt::format("\"{}\" is not allowed; allowed options: {}", name.substr(0, 64),
                              fmt::join(kOptions, ", ")));
  // restic splits the value of -o at commas.
  if (value.size() > kMaxOptionValue || !std::ranges::all_of(value, is_graphic) ||
      value.contains(',') || value.contains('"'))
    return refuse(field, name,
                  fmt::format("{} has an invalid value: it must have at most {} printable ASCII "
                              "characters other than blanks, commas and quotes",
                              name, kMaxOptionValue));
  return {};
}

}  // namespace lvmd::transfers
