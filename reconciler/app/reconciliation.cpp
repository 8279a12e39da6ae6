#include "reconciler/app/reconciliation.hpp"

#include <fmt/format.h>

#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/app/plan.hpp"
#include "reconciler/app/step_log.hpp"
#include "reconciler/snapshots/snapshot_status.hpp"
#include "reconciler/volumes/failure.hpp"

namespace lvmd::reconciler {
namespace {

// The longest way (clear, look up, source, finalizer, create, status, resize, status) has fewer
// steps. Only an lvmd that returns OK without doing the work needs more. The backoff handles that
// [R-RUN-5].
constexpr int kMaxSteps = 12;
// With a restore also class, PersistentVolume, backup location, start, and three writes of status.
constexpr int kMaxOnlineSteps = 24;

// The state begins with the step, or is the last one of the object [R-CSI-5].
bool needs_csi_status(const Step& step) {
  return get_kind<Create>(step) != nullptr || get_kind<CreateSnapshot>(step) != nullptr ||
         get_kind<Resize>(step) != nullptr || get_kind<Remove>(step) != nullptr ||
         get_kind<RemoveFinalizer>(step) != nullptr;
}

}  // namespace

Reconciliation::Reconciliation(VolumeStore& store, VolumeService& service, ObjectProgress progress,
                               std::stop_token stop, Mode mode, OnlineServices online,
                               const UseTable* uses)
    : store_(store),
      progress_(std::move(progress)),
      stop_(std::move(stop)),
      mode_(mode),
      online_(online),
      volumes_(store, service, progress_),
      snapshots_(online_, service, progress_),
      writer_(store, progress_, volumes_, snapshots_, uses) {}

// The observed state belongs to another object, or to an earlier version of this one.
void Reconciliation::reset() {
  volumes_.reset();
  snapshots_.reset();
}

ReconcileResult Reconciliation::run() {
  const int max_steps = online_.are_enabled() ? kMaxOnlineSteps : kMaxSteps;
  for (int taken = 0; taken < max_steps; ++taken) {
    if (stop_.stop_requested()) return ReconcileResult::kRetry;
    snapshots_.tick();
    const Step step = plan(object(), volumes_.observed(), snapshots_.observed());
    const bool is_settled = get_kind<Nothing>(step) != nullptr;
    if (is_settled || waits(step)) {
      if (const Status updated = update_csi(); !updated) {
        if (const auto result = after_store_error(updated.error())) return *result;
        continue;
      }
      return is_settled || mode_ == Mode::kDryRun ? ReconcileResult::kSettled
                                                  : ReconcileResult::kWaiting;
    }
    if (mode_ == Mode::kDryRun && !traits_of(step).is_read_only) {
      log_plan(step, object());
      return ReconcileResult::kSettled;
    }
    // The step never waits for the CSI status: it follows even if the write fails.
    if (needs_csi_status(step)) static_cast<void>(update_csi());
    if (const auto result = after(step, timed(step))) return *result;
  }
  log::error(fmt::format("{}: not settled after {} steps; trying again later",
                         to_string(object().key), max_steps));
  return ReconcileResult::kRetry;
}

Status Reconciliation::update_csi() {
  if (mode_ == Mode::kDryRun || !writer_.is_csi_outdated()) return {};
  return timed(VolumeStep{WriteStatus{object().status}});
}

Status Reconciliation::execute(const Step& step) {
  if (auto status = written_status(step, object())) return writer_.write(std::move(*status));
  if (const auto* const own = std::get_if<VolumeStep>(&step)) return volumes_.execute(*own);
  return snapshots_.execute(std::get<SnapshotStep>(step), volumes_);
}

Status Reconciliation::timed(const Step& step) {
  const auto begin = std::chrono::steady_clock::now();
  Status result = execute(step);
  const auto duration = std::chrono::steady_clock::now() - begin;
  log_step(step, object(), result, std::chrono::duration_cast<std::chrono::microseconds>(duration));
  return result;
}

std::optional<ReconcileResult> Reconciliation::after(const Step& step, const Status& result) {
  if (result) {
    const bool is_last =
        get_kind<RemoveFinalizer>(step) != nullptr || get_kind<Abandon>(step) != nullptr;
    return is_last ? std::optional{ReconcileResult::kGone} : std::nullopt;
  }
  switch (traits_of(step).failure) {
    case FailureDomain::kStore:
      return after_store_error(result.error());
    case FailureDomain::kVolume:
      return after_volume_error(result.error());
    case FailureDomain::kTransfer:
      return after_transfer_error(step, result.error());
  }
  return ReconcileResult::kRetry;
}

// [R-FAIL-7]: after the first conflict, the object is planned again at once.
std::optional<ReconcileResult> Reconciliation::after_store_error(const Error& error) {
  if (error.code == Code::kNotFound) return gone();
  if (error.code != Code::kAborted || std::exchange(reread_, true)) return ReconcileResult::kRetry;
  auto newer = store_.reread(object().key);
  if (!newer) return newer.error().code == Code::kNotFound ? gone() : ReconcileResult::kRetry;
  // Another object has the name now.
  if (newer->uid != object().uid) volumes_.remove_created();
  progress_.renewed = progress_.renewed || !same_request(*newer, object());
  progress_.replace(std::move(*newer));
  reset();
  return std::nullopt;
}

ReconcileResult Reconciliation::gone() {
  volumes_.remove_created();
  return ReconcileResult::kGone;
}

ReconcileResult Reconciliation::after_volume_error(const Error& error) {
  report(error, VolumeStep{WriteStatus{failed_status(object(), error)}});
  return is_refused_creation(object(), error) ? ReconcileResult::kRefused : ReconcileResult::kRetry;
}

// Without a volume, the failure is one of its creation. An object that could only have got a backup
// has no condition for the failure.
ReconcileResult Reconciliation::after_transfer_error(const Step& step, const Error& error) {
  if (get_kind<FollowTransfer>(step) != nullptr && is_lvmd_away(error)) {
    // The transfer runs on without lvmd. Its state is read as soon as lvmd is back.
    wait_ = kProgressInterval;
    return ReconcileResult::kWaiting;
  }
  const bool has_transfer = object().status.snapshot || has_volume(object());
  if (!has_transfer)
    report(error, VolumeStep{WriteStatus{failed_status(object(), error)}});
  else if (object().status.snapshot || !object().restore_from.empty())
    report(error, SnapshotStep{WriteReport{blocked_report(object(), error)}});
  return ReconcileResult::kRetry;
}

bool Reconciliation::waits(const Step& step) {
  const auto wait = snapshots_.wait_of(step);
  if (!wait) return false;
  wait_ = *wait;
  if (const auto* const transfer = get_kind<AwaitTransfer>(step))
    awaited_ = TransferName{transfer->operation, object().uid};
  return true;
}

void Reconciliation::report(const Error& error, const Step& write) {
  if (mode_ == Mode::kDryRun || stop_.stop_requested() || is_lvmd_away(error)) return;
  if (progress_.failures == 0 && is_transient(error.code)) return;
  if (written_status(write, object()) != object().status)
    static_cast<void>(timed(write));  // The retry writes it again.
}

}  // namespace lvmd::reconciler
