#include "reconciler/orphans/orphan_detector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/model/backoff.hpp"
#include "reconciler/orphans/owner_marks.hpp"

namespace lvmd::reconciler {
namespace {

std::chrono::seconds age(const OrphanTracker::Orphan& orphan) {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() -
                                                          orphan.since);
}

std::string describe_owner(const ListedVolume& volume, const std::string& owner) {
  if (volume.owner.empty()) return "it has no owner mark";
  if (volume.owner == owner) return "its owner mark is this store's";
  return fmt::format("its owner mark is another store's, {}", volume.owner);
}

// Each once, when it is first found.
void log_news(const std::optional<OrphanTracker>& before, const OrphanTracker& now,
              const std::string& owner) {
  for (const auto& [path, orphan] : now.orphans())
    if (!before || !before->orphans().contains(path))
      log::warning(fmt::format("{} has no object; {}", path, describe_owner(orphan.volume, owner)));
  std::set<std::string> known;
  if (before)
    for (const Claim& claim : before->missing()) known.insert(claim.uid);
  for (const Claim& claim : now.missing())
    if (!known.contains(claim.uid))
      log::warning(
          fmt::format("{}: its volume {} does not exist", to_string(claim.key), claim.uid));
}

}  // namespace

OrphanDetector::OrphanDetector(VolumeStore& store, VolumeService& service, Mode mode,
                               OrphanOptions options)
    : store_(store),
      service_(service),
      mode_(mode),
      options_(options),
      worker_([this](const std::stop_token& stop) { work(stop); }) {}

std::optional<OrphanDetector::Counts> OrphanDetector::counts() const {
  const std::lock_guard lock{mutex_};
  if (!orphans_) return std::nullopt;
  return Counts{.orphans = orphans_->orphans().size(), .missing = orphans_->missing().size()};
}

std::string OrphanDetector::report() const {
  const std::lock_guard lock{mutex_};
  if (!orphans_) return "not known: the objects or the volumes cannot be read at the moment\n";
  std::string text;
  for (const auto& [path, orphan] : orphans_->orphans())
    text += fmt::format("volume {} of {} bytes, class {}, has had no object for {} s; {}\n", path,
                        orphan.volume.size.value, orphan.volume.device_class, age(orphan).count(),
                        describe_owner(orphan.volume, store_.owner()));
  for (const Claim& claim : orphans_->missing())
    text += fmt::format("object {} has no volume {}\n", to_string(claim.key), claim.uid);
  return text.empty() ? "every volume has its object, and every object its volume\n" : text;
}

void OrphanDetector::stop() {
  worker_.request_stop();
  if (worker_.joinable()) worker_.join();
}

void OrphanDetector::work(const std::stop_token& stop) {
  // The result of a comparison is at most this old when it is used.
  const auto every =
      options_.remove_after
          ? std::clamp(*options_.remove_after / 2, std::chrono::milliseconds{10}, options_.every)
          : options_.every;
  // Until the first comparison succeeds, it is tried more often.
  constexpr std::chrono::milliseconds kSoon{1000};
  while (!stop.stop_requested()) {
    std::optional<OrphanTracker> seen = compare(stop);
    if (seen && options_.remove_after && mode_ == Mode::kAct) remove_orphans(*seen, stop);
    const auto wait = seen ? every : std::min(every, kSoon);
    {
      const std::lock_guard lock{mutex_};
      orphans_ = std::move(seen);
    }
    pause(stop, wait);
  }
}

std::optional<OrphanTracker> OrphanDetector::compare(const std::stop_token& stop) {
  // Before the calls, which are useless without the objects.
  if (!store_.claims()) return std::nullopt;
  const auto inventory = service_.inventory();
  if (!inventory) return std::nullopt;
  const auto claims = store_.claims();
  if (!claims) return std::nullopt;
  std::optional<OrphanTracker> before;
  {
    const std::lock_guard lock{mutex_};
    before = orphans_;
  }
  OrphanTracker now = before.value_or(OrphanTracker{});
  now.update(*inventory, *claims, std::chrono::steady_clock::now());
  log_news(before, now, store_.owner());
  if (mode_ == Mode::kAct) mark_owned(store_, service_, *inventory, *claims, stop);
  return now;
}

// lvmd does not remove a volume in use. The store may watch only this node's objects, so the
// objects of all nodes are listed before a removal [R-LEDG-5].
void OrphanDetector::remove_orphans(OrphanTracker& orphans, const std::stop_token& stop) {
  const auto removable =
      orphans.removable(std::chrono::steady_clock::now(), *options_.remove_after, store_.owner());
  if (removable.empty()) return;
  const auto names = store_.all_volume_names();
  if (!names || names->empty()) {
    log::warning(fmt::format("{} volumes without an object stay: {}", removable.size(),
                             names ? "there are no objects" : describe(names.error())));
    return;
  }
  for (const ListedVolume& volume : removable) {
    if (stop.stop_requested()) return;
    if (names->contains(volume.name)) {
      log::warning(fmt::format("{} stays: it belongs to an object of another node", volume.path));
      continue;
    }
    const Status removed =
        service_.remove({.name = volume.name, .device_class = volume.device_class});
    if (removed)
      log::warning(fmt::format("removed {}, which had no object", volume.path));
    else if (removed.error().code != Code::kNotFound)
      log::warning(
          fmt::format("{} has no object and stays: {}", volume.path, describe(removed.error())));
  }
}

}  // namespace lvmd::reconciler
