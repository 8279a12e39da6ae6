#include "reconciler/run/progress_book.hpp"

namespace lvmd::reconciler {

Progress ProgressBook::of(const LogicalVolume& shown) const {
  const std::lock_guard lock{mutex_};
  const auto known = progress_.find(shown.key);
  if (known == progress_.end()) return {.seen = shown};
  // A watch tells of our own writes some time after they are done. Acting on what was before them
  // would do them again, in vain.
  if (known->second.superseded.contains(shown.resource_version)) return known->second;
  const bool same = same_wish(shown, known->second.seen);
  return {.seen = shown, .failures = same ? known->second.failures : 0};
}

void ProgressBook::note(const Progress& progress) {
  const std::lock_guard lock{mutex_};
  progress_[progress.seen.key] = progress;
}

void ProgressBook::forget(const Key& key) {
  const std::lock_guard lock{mutex_};
  progress_.erase(key);
}

}  // namespace lvmd::reconciler
