#include "reconciler/volumes/reconciliation.hpp"

#include <chrono>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/model/backoff.hpp"
#include "reconciler/volumes/event.hpp"
#include "reconciler/volumes/failure.hpp"
#include "reconciler/volumes/removal.hpp"
#include "reconciler/volumes/snapshot_status.hpp"
#include "reconciler/volumes/step_kind.hpp"
#include "reconciler/volumes/step_log.hpp"

namespace lvmd::reconciler {
namespace {

// The longest way (clear, look up, source, mark, create, status, resize, status) has fewer. Only an
// lvmd that answers OK and yet doesn't do it needs more: that is retried by the backoff, not at
// once [R-RUN-5].
constexpr int kMaxSteps = 12;
// With a restore: also class, PersistentVolume, storage, start, and three writes of status.
constexpr int kMaxOnlineSteps = 24;

// Where lvmd had no time to tell: of a Start that it refused.
void stamp_end(std::optional<SnapshotStatus>& snapshot, std::chrono::system_clock::time_point now) {
  if (snapshot && snapshot->phase == SnapshotPhase::kFailed && snapshot->completion_time.empty())
    snapshot->completion_time = to_timestamp(now);
}

}  // namespace

Reconciliation::Reconciliation(VolumeStore& store, VolumeService& service, ObjectProgress progress,
                               std::stop_token stop, Mode mode, OnlineServices online)
    : store_(store),
      service_(service),
      progress_(std::move(progress)),
      stop_(std::move(stop)),
      mode_(mode),
      online_(online),
      transfer_(online_, observed_) {
  forget();
}

// What was observed was observed of another object, or of what it was before.
void Reconciliation::forget() {
  observed_ = {.renewed = progress_.renewed,
               .online = {.enabled = online_.are_enabled(), .gate = online_.gate}};
  source_.reset();
}

ReconcileResult Reconciliation::run() {
  const int max_steps = online_.are_enabled() ? kMaxOnlineSteps : kMaxSteps;
  for (int taken = 0; taken < max_steps; ++taken) {
    if (stop_.stop_requested()) return ReconcileResult::kRetry;
    observed_.progress_due =
        progress_.written_at + kProgressInterval <= ObjectProgress::Clock::now();
    const Step step = plan(object(), observed_);
    if (std::holds_alternative<Nothing>(step)) return ReconcileResult::kSettled;
    if (waits(step))
      return mode_ == Mode::kDryRun ? ReconcileResult::kSettled : ReconcileResult::kWaiting;
    if (mode_ == Mode::kDryRun && !only_looks(step)) {
      log_plan(step, object());
      return ReconcileResult::kSettled;
    }
    const Status result = timed(step);
    if (result) {
      if (std::holds_alternative<RemoveFinalizer>(step) || std::holds_alternative<Abandon>(step))
        return ReconcileResult::kGone;
    } else if (is_about_the_transfer(step)) {
      return after_transfer_failure(step, result.error());
    } else if (is_about_the_volume(step)) {
      return after_failure(result.error());
    } else if (const auto outcome = after_store_error(result.error())) {
      return *outcome;
    }
  }
  log::error(fmt::format("{}: {} steps did not settle it; trying again later",
                         to_string(object().key), max_steps));
  return ReconcileResult::kRetry;
}

Status Reconciliation::timed(const Step& step) {
  const auto begin = std::chrono::steady_clock::now();
  Status result = std::visit([this](const auto& kind) { return execute(kind); }, step);
  const auto duration = std::chrono::steady_clock::now() - begin;
  log_step(step, object(), result, std::chrono::duration_cast<std::chrono::microseconds>(duration));
  return result;
}

// [R-FAIL-7]: a conflict is planned anew at once, the first time.
std::optional<ReconcileResult> Reconciliation::after_store_error(const Error& error) {
  if (error.code == Code::kNotFound) return gone();
  if (error.code != Code::kAborted || std::exchange(reread_, true)) return ReconcileResult::kRetry;
  auto newer = store_.reread(object().key);
  if (!newer) return newer.error().code == Code::kNotFound ? gone() : ReconcileResult::kRetry;
  // Another object of that name.
  if (newer->uid != object().uid) remove_created();
  progress_.renewed = progress_.renewed || !same_request(*newer, object());
  replace(std::move(*newer));
  forget();
  return std::nullopt;
}

ReconcileResult Reconciliation::gone() {
  remove_created();
  return ReconcileResult::kGone;
}

// [R-CREATE-7]
void Reconciliation::remove_created() {
  if (!std::exchange(created_, false)) return;
  const Status removed = service_.remove(name());
  if (removed)
    log::notice(fmt::format("{} went while its volume {} was made: removed it",
                            to_string(object().key), object().uid));
  else if (removed.error().code != Code::kNotFound)
    log::error(fmt::format("{} went while its volume {} was made, and that stays: {}",
                           to_string(object().key), object().uid, describe(removed.error())));
}

ReconcileResult Reconciliation::after_failure(const Error& error) {
  report(error, failed_status(object(), error));
  return is_refused_creation(object(), error) ? ReconcileResult::kRefused : ReconcileResult::kRetry;
}

// Of an object that isn't there yet it holds up the volume. What only might have become a transfer
// has no condition that tells of it.
ReconcileResult Reconciliation::after_transfer_failure(const Step& step, const Error& error) {
  if (std::holds_alternative<FollowTransfer>(step) && is_lvmd_away(error)) {
    // The transfer goes on without lvmd: it is asked for as soon as that is back.
    wait_ = kProgressInterval;
    return ReconcileResult::kWaiting;
  }
  const bool has_transfer = object().status.snapshot || has_volume(object());
  if (!has_transfer)
    report(error, failed_status(object(), error));
  else if (object().status.snapshot || !object().restore_from.empty())
    report(error, blocked_status(object(), error));
  return ReconcileResult::kRetry;
}

// Steps that end the pass until time has gone by.
bool Reconciliation::waits(const Step& step) {
  if (const auto* const transfer = std::get_if<AwaitTransfer>(&step)) {
    wait_ = kProgressInterval;
    awaited_ = TransferName{transfer->operation, object().uid};
    return true;
  }
  const auto* const retry = std::get_if<AwaitRetry>(&step);
  if (retry == nullptr) return false;
  const auto now = ObjectProgress::Clock::now();
  if (!progress_.retry_at) progress_.retry_at = now + retry_after(retry->attempts, random_jitter());
  if (*progress_.retry_at <= now) return false;
  wait_ = std::chrono::ceil<std::chrono::milliseconds>(*progress_.retry_at - now);
  return true;
}

void Reconciliation::report(const Error& error, const VolumeStatus& status) {
  if (mode_ == Mode::kDryRun || stop_.stop_requested() || is_lvmd_away(error)) return;
  if (progress_.failures == 0 && is_transient(error.code)) return;
  const Step step = WriteStatus{status};
  if (status == object().status) return;
  // A status that can't be written now is written by the retry: log_step has told.
  static_cast<void>(timed(step));
}

Status Reconciliation::keep(Result<LogicalVolume> written) {
  if (!written) return std::unexpected(std::move(written.error()));
  replace(std::move(*written));
  return {};
}

// A store without versions never shows the past: it has none to tell it by.
void Reconciliation::replace(LogicalVolume newer) {
  if (newer.resource_version != object().resource_version)
    progress_.superseded.insert(object().resource_version);
  object() = std::move(newer);
}

// plan() has lvmd asked for nothing before the class is known.
VolumeName Reconciliation::name() {
  return {.name = object().uid,
          .device_class = device_class_of(object(), observed_.classes.value_or(Classes{}))
                              .value_or(object().spec.device_class)};
}

Status Reconciliation::execute(const Nothing&) { return {}; }

// What is made durable has the class that was found, so that it stays the same [R-OBJ-17].
Status Reconciliation::execute(const AddFinalizer& step) {
  LogicalVolume has_metadata = object();
  has_metadata.spec.device_class = name().device_class;
  if (!step.restore_from.empty()) has_metadata.restore_from = step.restore_from;
  return keep(store_.add_finalizer(has_metadata));
}

Status Reconciliation::execute(const FindClasses&) {
  if (object().spec.vg_name.empty()) return find_default_class();
  const auto found = service_.classes(object().uid);
  if (!found) return std::unexpected(found.error());
  observed_.classes.emplace();
  for (const ClassGroup& entry : *found)
    if (entry.volume_group == object().spec.vg_name)
      observed_.classes->push_back({.name = entry.device_class, .has_volume = entry.has_volume});
  return {};
}

// A default that moves to another class before the volume is made must not make two [R-CREATE-8].
Status Reconciliation::find_default_class() {
  const auto found = service_.default_class();
  if (!found) return std::unexpected(found.error());
  observed_.classes.emplace();
  if (!found->empty()) observed_.classes->push_back({.name = *found});
  return {};
}

Status Reconciliation::execute(const LookUp&) {
  const auto found = service_.find(name());
  if (!found) return std::unexpected(found.error());
  observed_.looked_up = true;
  observed_.size = *found;
  return {};
}

Status Reconciliation::execute(const FindSource&) {
  const auto found = store_.reread({object().key.group, source_name(object())});
  if (!found && found.error().code != Code::kNotFound) return std::unexpected(found.error());
  observed_.source = found ? Source{.exists = true,
                                    .node_name = found->spec.node_name,
                                    .volume_id = found->status.volume_id,
                                    .size = found->status.current_size,
                                    .uid = found->uid,
                                    .spec_name = found->spec.name,
                                    .is_snapshot = may_have_class(*found),
                                    .snapshot = found->status.snapshot}
                           : Source{};
  if (found) source_ = *found;
  return {};
}

Status Reconciliation::execute(const Unmet& step) { return std::unexpected(step.error); }

Status Reconciliation::execute(const Create& step) {
  const auto size =
      service_.create(name(), object().spec.lvcreate_option_class, step.size, store_.owner());
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  created_ = true;
  return {};
}

Status Reconciliation::execute(const CreateSnapshot& step) {
  const auto size = service_.create_snapshot(name(), step.source, object().spec.access_type,
                                             step.size, store_.owner());
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  created_ = true;
  return {};
}

Status Reconciliation::execute(const Resize& step) {
  const auto size = service_.resize(name(), step.size);
  if (!size) return std::unexpected(size.error());
  observed_.size = *size;
  return {};
}

Status Reconciliation::execute(const BeginRemoval&) { return keep(store_.begin_removal(object())); }

// [R-DELETE-2]
Status Reconciliation::execute(const Remove&) {
  if (Status removed = remove_everywhere(service_, name(), object().key); !removed) return removed;
  observed_.removed = true;
  return {};
}

Status Reconciliation::execute(const RemoveFinalizer&) {
  if (Status released = store_.remove_finalizer(object()); !released) return released;
  store_.record_event(object(), deleted_event(object()));
  return {};
}

// [R-DELETE-5]
Status Reconciliation::execute(const ClearOwner&) {
  if (Status owner_cleared = clear_owner(service_, object().uid); !owner_cleared)
    return owner_cleared;
  observed_.owner_cleared = true;
  return {};
}

Status Reconciliation::execute(const Abandon&) {
  if (Status released = store_.remove_finalizer(object()); !released) return released;
  const Event event = abandoned_event(object());
  log::warning(fmt::format("{}: {}", to_string(object().key), event.message));
  store_.record_event(object(), event);
  return {};
}

Status Reconciliation::execute(const WriteStatus& step) {
  VolumeStatus status = step.status;
  const auto now = std::chrono::system_clock::now();
  stamp(status.conditions, now);
  stamp_end(status.snapshot, now);
  const auto event = event_of(object(), status);
  if (auto done = keep(store_.write_status(object(), status)); !done) return done;
  if (event) store_.record_event(object(), *event);
  created_ = false;
  // Going on would begin the same again and again [R-KUBE-13].
  if (status.snapshot && !object().status.snapshot)
    return fail(Code::kFailedPrecondition,
                "the definition of LogicalVolume has no status.snapshot: apply lvmd's own");
  progress_.renewed = observed_.renewed = false;
  if (status.snapshot) progress_.written_at = ObjectProgress::Clock::now();
  // Nothing that lvmd told before is about the attempt that begins now.
  if (status.snapshot && status.snapshot->phase == SnapshotPhase::kPending) {
    observed_.transfer.reset();
    observed_.transfer_unknown = observed_.retry_due = false;
    progress_.retry_at.reset();
  }
  // Whatever the store kept of it, this much has been told: an older CRD drops the newer fields,
  // and writing them again and again would not change that [R-KUBE-13].
  object().status.observed_generation = status.observed_generation;
  object().status.conditions = std::move(status.conditions);
  return {};
}

Status Reconciliation::execute(const FindSnapshotClass& step) {
  return transfer_.find_class(object(), source_, step.of_source);
}

Status Reconciliation::execute(const FindPersistentVolume& step) {
  return transfer_.find_persistent_volume(step.name);
}

Status Reconciliation::execute(const FindBackupLocation& step) {
  return transfer_.find_location(object(), step.storage);
}

Status Reconciliation::execute(const TransferUnmet& step) { return std::unexpected(step.error); }

Status Reconciliation::execute(const StartBackup&) {
  return transfer_.start(object(), name(), Operation::kBackup);
}

Status Reconciliation::execute(const StartRestore&) {
  return transfer_.start(object(), name(), Operation::kRestore);
}

Status Reconciliation::execute(const DeleteBackup&) {
  return transfer_.start(object(), name(), Operation::kDelete);
}

Status Reconciliation::execute(const FollowTransfer& step) {
  return transfer_.follow({step.operation, object().uid});
}

Status Reconciliation::execute(const CancelTransfer& step) {
  return transfer_.cancel({step.operation, object().uid});
}

Status Reconciliation::execute(const AwaitTransfer&) { return {}; }

// waits() has seen that its time has come.
Status Reconciliation::execute(const AwaitRetry&) {
  observed_.retry_due = true;
  return {};
}

// [R-ONLINE-5]
Status Reconciliation::execute(const RemoveSnapshotVolume&) {
  if (Status removed = remove_everywhere(service_, name(), object().key); !removed) return removed;
  observed_.cleaned = true;
  return {};
}

}  // namespace lvmd::reconciler
