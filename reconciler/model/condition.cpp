#include "reconciler/model/condition.hpp"

#include <fmt/chrono.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace lvmd::reconciler {

bool is_owned_condition(std::string_view type) {
  return std::ranges::count(kVolumeConditions, type) > 0 || type == kBackupReadyType ||
         type == kRestoreReadyType || type == kSnapshotCleanedType || type == kSnapshotDeletedType;
}

Condition make_condition(std::string_view type, std::string_view status, std::string_view reason,
                         std::string message) {
  return {.type = std::string{type},
          .status = std::string{status},
          .reason = std::string{reason},
          .message = std::move(message)};
}

const Condition* find_condition(const Conditions& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &Condition::type);
  return found == conditions.end() ? nullptr : &*found;
}

void set_condition(Conditions& conditions, Condition condition) {
  const auto old = std::ranges::find(conditions, condition.type, &Condition::type);
  if (old == conditions.end()) {
    conditions.push_back(std::move(condition));
    return;
  }
  if (old->status == condition.status) condition.last_transition_time = old->last_transition_time;
  *old = std::move(condition);
}

void stamp(Conditions& conditions, std::chrono::system_clock::time_point now) {
  for (Condition& condition : conditions)
    if (condition.last_transition_time.empty()) condition.last_transition_time = to_timestamp(now);
}

std::string to_timestamp(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string camel_case(std::string_view reason) {
  std::string text;
  bool begins = true;
  for (const char c : reason) {
    if (c == '_') {
      begins = true;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += static_cast<char>(begins ? std::toupper(byte) : std::tolower(byte));
    begins = false;
  }
  return text;
}

}  // namespace lvmd::reconciler
