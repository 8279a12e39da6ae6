#include "lvmd/config/findings.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace lvmd::config {

void Findings::error(const Place& place, std::string_view reason) { add(place, reason, true); }

void Findings::warning(const Place& place, std::string_view reason) { add(place, reason, false); }

Result<std::vector<std::string>> Findings::conclude(bool strict) const {
  std::vector<Finding> sorted = findings_;
  std::ranges::stable_sort(sorted, {}, &Finding::line);
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  for (Finding& finding : sorted)
    (finding.is_error || strict ? errors : warnings).push_back(std::move(finding.text));
  if (!errors.empty()) return fail(Code::kInvalidArgument, "{}", fmt::join(errors, "\n"));
  return warnings;
}

void Findings::add(const Place& place, std::string_view reason, bool is_error) {
  const std::string key = place.key.empty() ? "" : place.key + ": ";
  findings_.push_back({.line = place.line,
                       .text = fmt::format("{}:{}: {}{}", file_name_, place.line, key, reason),
                       .is_error = is_error});
}

}  // namespace lvmd::config
