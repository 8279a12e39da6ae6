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
constexpr std::string_view kCheckedPlace = ".lvmd-check";

milliseconds spread(const StorageSight& sight) {
  return std::chrono::duration_cast<milliseconds>(sight.jitter * milliseconds{kClaimSpread});
}

// At once the first time.
milliseconds next_try(const StorageSight& sight, const Pace& pace = {}) {
  return sight.failures == 0 ? milliseconds{0} : retry_after(sight.failures, sight.jitter, pace);
}

StoragePlan after(StoragePlan::Step step, milliseconds time, const StorageSight& sight) {
  return {.step = step, .wait = std::max(time - sight.unchanged, milliseconds{0})};
}

// lvmd's, or the API server's, own trouble: it says nothing of the storage.
bool is_about_storage(const Error& error) {
  if (error.reason == own_reason::kNoCredentials) return true;
  return !is_transient(error.code) && error.code != Code::kResourceExhausted &&
         error.code != Code::kUnimplemented && error.code != Code::kAlreadyExists &&
         error.reason != lvmd::reason::kResticUnusable;
}

StorageStatus status_of(const BackupStorage& storage, StoragePhase phase, std::string message,
                        const std::string& node, std::string now) {
  return {.phase = phase,
          .message = std::move(message),
          .last_checked = std::move(now),
          .node = node,
          .observed_generation = storage.generation};
}

}  // namespace

StoragePlan plan_storage(const BackupStorage& storage, const StorageSight& sight) {
  if (!storage.validate || storage.removal_wanted) return {};
  if (!storage.status || storage.status->observed_generation != storage.generation)
    return after(StoragePlan::Step::kClaim, std::max(spread(sight), next_try(sight)), sight);
  const bool is_mine = storage.status->node == sight.node;
  switch (storage.status->phase) {
    case StoragePhase::kReady:
      return {};
    case StoragePhase::kPending:
      if (is_mine) return after(StoragePlan::Step::kCheck, next_try(sight), sight);
      return after(StoragePlan::Step::kClaim, kClaimLasts + spread(sight), sight);
    case StoragePhase::kError:
      if (!is_mine)
        return after(StoragePlan::Step::kClaim, kErrorStands + kClaimLasts + spread(sight), sight);
      return after(StoragePlan::Step::kCheck,
                   sight.failures == 0 ? kErrorStands : next_try(sight, kSlowly), sight);
  }
  return {};
}

StorageStatus claim_of(const BackupStorage& storage, const std::string& node, std::string now) {
  return status_of(storage, StoragePhase::kPending, "", node, std::move(now));
}

StorageFinding finding_of(const BackupStorage& storage, const Result<Transfer>& told,
                          const std::string& node, std::string now) {
  if (told && told->phase == TransferPhase::kSucceeded)
    return {.status = status_of(storage, StoragePhase::kReady, "", node, std::move(now))};
  if (told && told->phase == TransferPhase::kFailed && told->error)
    return {.status = status_of(storage, StoragePhase::kError, told->error->message, node,
                                std::move(now)),
            .is_passing = told->error->transient};
  // Somebody has ended it.
  if (told) return {.status = {}, .is_passing = true};
  const Error& error = told.error();
  if (is_about_storage(error))
    return {.status = status_of(storage, StoragePhase::kError, error.message, node, std::move(now)),
            .is_passing = is_transient(error.code) || error.code == Code::kInternal};
  StorageFinding finding{.status = {}, .is_passing = true};
  const bool is_news = storage.status && storage.status->phase == StoragePhase::kPending &&
                       storage.status->message != error.message;
  if (is_news && !is_lvmd_away(error)) {
    finding.status = storage.status;
    finding.status->message = error.message;
  }
  return finding;
}

std::string check_location(std::string_view base) {
  while (base.ends_with('/')) base.remove_suffix(1);
  return fmt::format("{}/{}", base, kCheckedPlace);
}

}  // namespace lvmd::reconciler
