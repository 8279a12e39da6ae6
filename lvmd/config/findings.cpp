#include "lvmd/config/findings.hpp"

#include <fmt/ranges.h>

namespace lvmd::config {

void Findings::error(const Place& place, std::string_view reason) { add(place, reason, true); }

void Findings::warning(const Place& place, std::string_view reason) { add(place, reason, false); }

Result<std::vector<std::string>> Findings::conclude(bool strict) const {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  for (const auto& [line, finding] : findings_)
    (finding.is_error || strict ? errors : warnings).push_back(finding.text);
  if (!errors.empty()) return fail(Code::kInvalidArgument, "{}", fmt::join(errors, "\n"));
  return warnings;
}

void Findings::add(const Place& place, std::string_view reason, bool is_error) {
  const std::string key = place.key.empty() ? "" : place.key + ": ";
  findings_.emplace(place.line,
                    Finding{.text = fmt::format("{}:{}: {}{}", file_name_, place.line, key, reason),
                            .is_error = is_error});
}

}  // namespace lvmd::config
