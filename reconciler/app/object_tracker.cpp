#include "reconciler/app/object_tracker.hpp"

#include "csi/lifecycle/state.hpp"
#include "reconciler/snapshots/online_snapshot.hpp"

namespace lvmd::reconciler {
namespace {

// The volume can't be created, or restored, before its source is there.
bool needs_source(const LogicalVolume& volume) {
  const auto& snapshot = volume.status.snapshot;
  const bool awaits_backup = snapshot && snapshot->operation == Operation::kRestore &&
                             snapshot->phase == SnapshotPhase::kPending;
  return !has_volume(volume) || awaits_backup;
}

std::optional<Key> awaited_source(const ObjectProgress& progress) {
  const LogicalVolume& volume = progress.seen;
  const std::string& source = source_name(volume);
  if (progress.failures == 0 || source.empty() || !needs_source(volume)) return std::nullopt;
  return Key{.group = volume.key.group, .name = source};
}

}  // namespace

ObjectProgress ObjectTracker::of(const LogicalVolume& shown) const {
  const std::lock_guard lock{mutex_};
  const auto known = progress_.find(shown.key);
  if (known == progress_.end()) return {.seen = shown};
  // A watch reports the reconciler's own writes with a delay. A reconciliation of an older version
  // would repeat them in vain.
  if (known->second.superseded.contains(shown.resource_version)) return known->second;
  // Nobody has written since, so the object is as the reconciler wrote it: a CRD without the newer
  // fields drops them.
  if (!shown.resource_version.empty() &&
      shown.resource_version == known->second.seen.resource_version)
    return known->second;
  if (same_request(shown, known->second.seen))
    return {.seen = shown,
            .failures = known->second.failures,
            .renewed = known->second.renewed,
            .written_at = known->second.written_at,
            .retry_at = known->second.retry_at};
  return {.seen = shown, .renewed = true, .written_at = known->second.written_at};
}

std::vector<Key> ObjectTracker::waiting_for(const Key& source) const {
  const std::lock_guard lock{mutex_};
  const auto waiting = waiting_.find(source);
  if (waiting == waiting_.end()) return {};
  return {waiting->second.begin(), waiting->second.end()};
}

std::map<Phase, std::size_t> ObjectTracker::phases() const {
  const std::lock_guard lock{mutex_};
  std::map<Phase, std::size_t> counts;
  for (const Phase phase : kPhases) counts[phase] = 0;
  for (const auto& [key, progress] : progress_) ++counts[phase_of(progress.seen)];
  return counts;
}

std::map<std::string, std::size_t> ObjectTracker::csi_states() const {
  const std::lock_guard lock{mutex_};
  std::map<std::string, std::size_t> counts;
  for (const lifecycle::State state : lifecycle::kStates)
    counts[std::string{lifecycle::name_of(state)}] = 0;
  for (const auto& [key, progress] : progress_) {
    const auto& csi = progress.seen.status.csi;
    if (const auto known = csi ? counts.find(csi->state) : counts.end(); known != counts.end())
      ++known->second;
  }
  return counts;
}

void ObjectTracker::note(const ObjectProgress& progress) {
  const std::lock_guard lock{mutex_};
  const Key& key = progress.seen.key;
  erase(key);
  if (const auto source = awaited_source(progress)) waiting_[*source].insert(key);
  progress_.emplace(key, progress);
}

void ObjectTracker::erase(const Key& key) {
  const auto known = progress_.find(key);
  if (known == progress_.end()) return;
  if (const auto source = awaited_source(known->second)) {
    const auto waiting = waiting_.find(*source);
    waiting->second.erase(key);
    if (waiting->second.empty()) waiting_.erase(waiting);
  }
  progress_.erase(known);
}

void ObjectTracker::note_gone(const LogicalVolume& object) {
  const std::lock_guard lock{mutex_};
  erase(object.key);
  // An object without a UID cannot be distinguished from the next object of that name.
  if (!object.uid.empty()) gone_[object.key] = object.uid;
}

bool ObjectTracker::is_gone(const LogicalVolume& shown) const {
  const std::lock_guard lock{mutex_};
  const auto gone = gone_.find(shown.key);
  return gone != gone_.end() && gone->second == shown.uid;
}

void ObjectTracker::forget(const Key& key) {
  const std::lock_guard lock{mutex_};
  erase(key);
  gone_.erase(key);
}

}  // namespace lvmd::reconciler
