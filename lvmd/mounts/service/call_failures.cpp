#include "lvmd/mounts/service/call_failures.hpp"

#include <algorithm>
#include <utility>

namespace lvmd::mounts {
namespace {

bool is_overtaken(CsiCall failed, CsiCall succeeded) {
  switch (succeeded) {
    case CsiCall::kStage:
      return failed == CsiCall::kStage || failed == CsiCall::kUnstage;
    case CsiCall::kPublish:
      return failed != CsiCall::kExpand;
    case CsiCall::kExpand:
      return failed == CsiCall::kExpand;
    case CsiCall::kUnpublish:
      return failed == CsiCall::kPublish || failed == CsiCall::kUnpublish;
    case CsiCall::kUnstage:
      return true;
  }
  return false;
}

// The call only has to be repeated later.
bool has_to_wait(const Error& error) {
  return error.code == Code::kAborted || error.reason == reason::kRestoreUnderWay;
}

constexpr auto kByTime = [](const auto& entry) { return entry.second.at; };

}  // namespace

std::string_view name_of(CsiCall call) {
  switch (call) {
    case CsiCall::kStage:
      return "NodeStageVolume";
    case CsiCall::kPublish:
      return "NodePublishVolume";
    case CsiCall::kExpand:
      return "NodeExpandVolume";
    case CsiCall::kUnpublish:
      return "NodeUnpublishVolume";
    case CsiCall::kUnstage:
      return "NodeUnstageVolume";
  }
  return {};
}

void CallFailures::record(std::string_view volume, CsiCall call, const Error& error, Time now) {
  if (has_to_wait(error)) return;
  {
    const std::lock_guard lock{mutex_};
    failures_.insert_or_assign(
        Key{.volume = std::string{volume}, .call = call},
        Entry{.at = now, .reason = std::string{reason_of(error)}, .message = describe(error)});
    if (failures_.size() > kMaxFailures)
      failures_.erase(std::ranges::min_element(failures_, {}, kByTime));
  }
  if (changed_) changed_();
}

void CallFailures::succeeded(std::string_view volume, CsiCall call) {
  {
    const std::lock_guard lock{mutex_};
    const auto dropped = std::erase_if(failures_, [&](const auto& entry) {
      return entry.first.volume == volume && is_overtaken(entry.first.call, call);
    });
    if (dropped == 0) return;
  }
  if (changed_) changed_();
}

std::vector<CallFailures::Failure> CallFailures::list(Time now) {
  const std::lock_guard lock{mutex_};
  std::erase_if(failures_, [now](const auto& entry) { return now - entry.second.at >= kKept; });
  std::vector<Failure> failures;
  failures.reserve(failures_.size());
  for (const auto& [key, entry] : failures_)
    failures.push_back(
        {.volume = key.volume, .call = key.call, .reason = entry.reason, .message = entry.message});
  return failures;
}

std::optional<CallFailures::Time> CallFailures::next_end() const {
  const std::lock_guard lock{mutex_};
  if (failures_.empty()) return std::nullopt;
  return std::ranges::min_element(failures_, {}, kByTime)->second.at + kKept;
}

}  // namespace lvmd::mounts
