#include "reconciler/snapshots/snapshot_controller.hpp"

#include <utility>

#include "reconciler/model/backoff.hpp"
#include "reconciler/snapshots/snapshot_status.hpp"
#include "reconciler/volumes/removal.hpp"

namespace lvmd::reconciler {

SnapshotController::SnapshotController(const OnlineServices& services, VolumeService& service,
                                       ObjectProgress& progress)
    : services_(services), service_(service), progress_(progress) {
  reset();
}

void SnapshotController::reset() {
  observed_ = {.online = {.enabled = services_.are_enabled(), .gate = services_.gate}};
}

void SnapshotController::tick() {
  observed_.progress_due = progress_.written_at + kProgressInterval <= ObjectProgress::Clock::now();
}

void SnapshotController::status_written(const SnapshotStatus& snapshot) {
  progress_.written_at = ObjectProgress::Clock::now();
  if (snapshot.phase != SnapshotPhase::kPending) return;
  // What lvmd reported before is not about the attempt that begins now.
  observed_.transfer.reset();
  observed_.transfer_unknown = observed_.retry_due = false;
  progress_.retry_at.reset();
}

std::optional<std::chrono::milliseconds> SnapshotController::wait_of(const Step& step) {
  if (get_kind<AwaitTransfer>(step) != nullptr) return kProgressInterval;
  const auto* const retry = get_kind<AwaitRetry>(step);
  if (retry == nullptr) return std::nullopt;
  const auto now = ObjectProgress::Clock::now();
  if (!progress_.retry_at) progress_.retry_at = now + retry_after(retry->attempts, random_jitter());
  if (*progress_.retry_at <= now) return std::nullopt;
  return std::chrono::ceil<std::chrono::milliseconds>(*progress_.retry_at - now);
}

template <>
Status SnapshotController::run(const FindSnapshotClass& step, const VolumeController& volume) {
  // The plan requests the source's class only when there is a source.
  const LogicalVolume& snapshot = step.of_source && volume.source() ? *volume.source() : object();
  auto found = services_.catalog->find_class(snapshot);
  if (!found) return std::unexpected(std::move(found.error()));
  auto& result = step.of_source ? observed_.source_class : observed_.own_class;
  result = LookedUp<SnapshotClass>{std::move(*found)};
  return {};
}

template <>
Status SnapshotController::run(const FindPersistentVolume& step,
                               const VolumeController& /*volume*/) {
  auto found = services_.catalog->find_persistent_volume(step.name);
  if (!found) return std::unexpected(std::move(found.error()));
  observed_.persistent_volume = LookedUp<PersistentVolume>{std::move(*found)};
  return {};
}

template <>
Status SnapshotController::run(const FindBackupLocation& step, const VolumeController& /*volume*/) {
  auto settings = services_.catalog->open_location(object(), step.storage);
  if (!settings) return std::unexpected(std::move(settings.error()));
  observed_.location_base = std::move(settings->location);
  return {};
}

template <>
Status SnapshotController::run(const TransferUnmet& step, const VolumeController& /*volume*/) {
  return std::unexpected(step.error);
}

template <>
Status SnapshotController::run(const StartBackup& /*step*/, const VolumeController& volume) {
  return start(volume, Operation::kBackup);
}

template <>
Status SnapshotController::run(const StartRestore& /*step*/, const VolumeController& volume) {
  return start(volume, Operation::kRestore);
}

template <>
Status SnapshotController::run(const DeleteBackup& /*step*/, const VolumeController& volume) {
  return start(volume, Operation::kDelete);
}

// [R-ONLINE-9]: the credentials are read here, and sent with the request.
Status SnapshotController::start(const VolumeController& volume, Operation operation) {
  const SnapshotStatus& snapshot = *object().status.snapshot;
  auto settings = services_.catalog->open_location(object(), snapshot.storage);
  if (!settings) return std::unexpected(std::move(settings.error()));
  const bool needs_snapshot = operation == Operation::kRestore && snapshot.backup_id.empty();
  auto transfer = services_.transfers->start(
      operation, {.id = object().uid,
                  .volume = volume.name(),
                  .repository = {.location = snapshot.repository, .settings = std::move(*settings)},
                  .snapshot_id = needs_snapshot ? snapshot.snapshot_id : std::string{},
                  .backup_id = snapshot.backup_id});
  // The same transfer with other arguments, because its location was changed meanwhile: it is still
  // this object's.
  if (!transfer && transfer.error().code == Code::kAlreadyExists)
    transfer = services_.transfers->get({operation, object().uid});
  if (!transfer) {
    auto refused = refused_transfer(operation, transfer.error());
    if (!refused) return std::unexpected(std::move(transfer.error()));
    transfer = std::move(*refused);
  }
  return keep(std::move(transfer));
}

template <>
Status SnapshotController::run(const FollowTransfer& step, const VolumeController& /*volume*/) {
  return keep_state(services_.transfers->get({step.operation, object().uid}));
}

template <>
Status SnapshotController::run(const CancelTransfer& step, const VolumeController& /*volume*/) {
  return keep_state(services_.transfers->cancel({step.operation, object().uid}));
}

Status SnapshotController::keep_state(Result<Transfer> transfer) {
  if (transfer || transfer.error().code != Code::kNotFound) return keep(std::move(transfer));
  observed_.transfer_unknown = true;
  return {};
}

Status SnapshotController::keep(Result<Transfer> transfer) {
  if (!transfer) return std::unexpected(std::move(transfer.error()));
  observed_.transfer = std::move(*transfer);
  observed_.transfer_unknown = false;
  return {};
}

// wait_of() has found that the time is over.
template <>
Status SnapshotController::run(const AwaitRetry& /*step*/, const VolumeController& /*volume*/) {
  observed_.retry_due = true;
  return {};
}

// [R-ONLINE-5]
template <>
Status SnapshotController::run(const RemoveSnapshotVolume& /*step*/,
                               const VolumeController& volume) {
  if (Status removed = remove_everywhere(service_, volume.name(), object().key); !removed)
    return removed;
  observed_.cleaned = true;
  return {};
}

Status SnapshotController::execute(const SnapshotStep& step, const VolumeController& volume) {
  return std::visit([&](const auto& kind) { return run(kind, volume); }, step);
}

}  // namespace lvmd::reconciler
