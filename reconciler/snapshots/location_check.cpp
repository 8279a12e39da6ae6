#include "reconciler/snapshots/location_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "reconciler/model/backoff.hpp"
#include "reconciler/model/reason.hpp"
#include "reconciler/volumes/failure.hpp"

namespace lvmd::reconciler {
namespace {

using std::chrono::milliseconds;

// No namespace begins with a dot.
constexpr std::string_view kCheckDirectory = ".lvmd-check";

milliseconds spread(const LocationView& view) {
  return std::chrono::duration_cast<milliseconds>(view.jitter * milliseconds{kClaimSpread});
}

// The first attempt is made at once.
milliseconds next_try(const LocationView& view, const Pace& pace = {}) {
  return view.failures == 0 ? milliseconds{0} : retry_after(view.failures, view.jitter, pace);
}

CheckPlan after(CheckPlan::Step step, milliseconds time, const LocationView& view) {
  return {.step = step, .wait = std::max(time - view.unchanged, milliseconds{0})};
}

// A failure of lvmd or the API server is not about the location.
bool is_about_location(const Error& error) {
  if (error.reason == own_reason::kNoCredentials) return true;
  return !is_transient(error.code) && error.code != Code::kResourceExhausted &&
         error.code != Code::kUnimplemented && error.code != Code::kAlreadyExists &&
         error.reason != lvmd::reason::kResticUnusable;
}

BackupLocationStatus status_of(const BackupLocation& location, BackupLocationPhase phase,
                               std::string message, const std::string& node, std::string now) {
  return {.phase = phase,
          .message = std::move(message),
          .last_checked = std::move(now),
          .node = node,
          .observed_generation = location.generation};
}

}  // namespace

CheckPlan plan_check(const BackupLocation& location, const LocationView& view) {
  if (!location.validate || location.removal_wanted) return {};
  if (!location.status || location.status->observed_generation != location.generation)
    return after(CheckPlan::Step::kClaim, std::max(spread(view), next_try(view)), view);
  const bool is_mine = location.status->node == view.node;
  switch (location.status->phase) {
    case BackupLocationPhase::kReady:
      return {};
    case BackupLocationPhase::kPending:
      if (is_mine) return after(CheckPlan::Step::kCheck, next_try(view), view);
      return after(CheckPlan::Step::kClaim, kClaimLasts + spread(view), view);
    case BackupLocationPhase::kError:
      if (!is_mine)
        return after(CheckPlan::Step::kClaim, kErrorStands + kClaimLasts + spread(view), view);
      return after(CheckPlan::Step::kCheck,
                   view.failures == 0 ? kErrorStands : next_try(view, kRefusalPace), view);
  }
  return {};
}

BackupLocationStatus check_claim(const BackupLocation& location, const std::string& node,
                                 std::string now) {
  return status_of(location, BackupLocationPhase::kPending, "", node, std::move(now));
}

CheckFinding finding_of(const BackupLocation& location, const Result<Transfer>& transfer,
                        const std::string& node, std::string now) {
  if (transfer && transfer->phase == TransferPhase::kSucceeded)
    return {.status = status_of(location, BackupLocationPhase::kReady, "", node, std::move(now))};
  if (transfer && transfer->phase == TransferPhase::kFailed && transfer->error)
    return {.status = status_of(location, BackupLocationPhase::kError, transfer->error->message,
                                node, std::move(now)),
            .is_passing = transfer->error->transient};
  // The check was cancelled.
  if (transfer) return {.status = {}, .is_passing = true};
  const Error& error = transfer.error();
  if (is_about_location(error))
    return {.status = status_of(location, BackupLocationPhase::kError, error.message, node,
                                std::move(now)),
            .is_passing = is_transient(error.code) || error.code == Code::kInternal};
  CheckFinding finding{.status = {}, .is_passing = true};
  const bool is_new = location.status && location.status->phase == BackupLocationPhase::kPending &&
                      location.status->message != error.message;
  if (is_new && !is_lvmd_away(error)) {
    finding.status = location.status;
    finding.status->message = error.message;
  }
  return finding;
}

std::string check_repository(std::string_view base) {
  while (base.ends_with('/')) base.remove_suffix(1);
  return fmt::format("{}/{}", base, kCheckDirectory);
}

}  // namespace lvmd::reconciler
