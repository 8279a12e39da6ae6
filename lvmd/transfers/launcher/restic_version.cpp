#include "lvmd/transfers/launcher/restic_version.hpp"

#include <fmt/format.h>

#include <charconv>

namespace lvmd::transfers {
namespace {

constexpr std::string_view kName = "restic ";

// Removes a number and the dot after it from the front of the text.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.starts_with('.')) text.remove_prefix(1);
  return number;
}

}  // namespace

std::optional<ResticVersion> parse_restic_version(std::string_view output) {
  if (!output.starts_with(kName)) return std::nullopt;
  output.remove_prefix(kName.size());
  const auto major = take_number(output);
  if (!major) return std::nullopt;
  const auto minor = take_number(output);
  if (!minor) return std::nullopt;
  return ResticVersion{.major = *major, .minor = *minor, .patch = take_number(output).value_or(0)};
}

std::string to_string(const ResticVersion& version) {
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

Result<ResticVersion> usable_version(std::string_view program, std::string_view output) {
  const auto version = parse_restic_version(output);
  if (!version)
    return fail(Code::kFailedPrecondition, "{} has not printed a version of restic: {}", program,
                kWhereToGetRestic);
  if (*version < kOldestRestic)
    return fail(Code::kFailedPrecondition, "{} is restic {}, transfers need {}.{} or newer: {}",
                program, to_string(*version), kOldestRestic.major, kOldestRestic.minor,
                kWhereToGetRestic);
  return *version;
}

}  // namespace lvmd::transfers
