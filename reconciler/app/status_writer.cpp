#include "reconciler/app/status_writer.hpp"

#include <chrono>
#include <utility>

#include "reconciler/volumes/event.hpp"

namespace lvmd::reconciler {
namespace {

// lvmd reports no end for a Start that it refused.
void stamp_end(std::optional<SnapshotStatus>& snapshot, std::chrono::system_clock::time_point now) {
  if (snapshot && snapshot->phase == SnapshotPhase::kFailed && snapshot->completion_time.empty())
    snapshot->completion_time = to_timestamp(now);
}

}  // namespace

std::optional<VolumeStatus> written_status(const Step& step, const LogicalVolume& object) {
  if (const auto* const write = get_kind<WriteStatus>(step)) return merge(object, write->status);
  if (const auto* const write = get_kind<WriteReport>(step)) return merge(object, write->report);
  return std::nullopt;
}

CsiChange StatusWriter::csi_for(const VolumeStatus& next) const {
  const LogicalVolume& object = progress_.seen;
  return csi_change(object, next, volumes_.observed().removed,
                    uses_ == nullptr ? std::nullopt : uses_->of(object.uid));
}

bool StatusWriter::is_csi_outdated() const {
  const VolumeStatus& present = progress_.seen.status;
  return csi_for(present).status != present.csi;
}

Status StatusWriter::write(VolumeStatus status) {
  LogicalVolume& object = progress_.seen;
  const auto now = std::chrono::system_clock::now();
  stamp(status.conditions, now);
  stamp_end(status.snapshot, now);
  const auto event = event_of(object, status);
  const CsiChange csi = csi_for(status);
  status.csi = csi.status;
  if (auto done = progress_.replace(store_.write_status(object, status)); !done) return done;
  if (event) store_.record_event(object, *event);
  if (csi.event) store_.record_event(object, *csi.event);
  volumes_.status_written();
  // Without this check the next plan would begin the same transfer again [R-KUBE-13].
  if (status.snapshot && !object.status.snapshot)
    return fail(Code::kFailedPrecondition,
                "the definition of LogicalVolume has no status.snapshot: apply lvmd's own");
  progress_.renewed = false;
  volumes_.request_answered();
  if (status.snapshot) snapshots_.status_written(*status.snapshot);
  // An older CRD drops the newer fields. They count as written: writing them again would not change
  // the object [R-KUBE-13].
  object.status.observed_generation = status.observed_generation;
  object.status.conditions = std::move(status.conditions);
  object.status.csi = std::move(status.csi);
  return {};
}

}  // namespace lvmd::reconciler
