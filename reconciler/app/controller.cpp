#include "reconciler/app/controller.hpp"

#include <fmt/format.h>

#include "lvmd/base/log.hpp"
#include "reconciler/model/backoff.hpp"

namespace lvmd::reconciler {
namespace {

// lvmd executes one call per volume group at a time. More workers keep one slow group from delaying
// the others.
constexpr int kWorkers = 8;
// The time after which an object that was deleted is looked at again, in case the store still shows
// it.
constexpr std::chrono::seconds kLookAgain{30};

}  // namespace

Status Controller::start() {
  if (online_.are_enabled())
    transfers_.emplace(*online_.transfers,
                       [this](const Key& key) { queue_.add(key, WorkQueue::Clock::now()); });
  for (int worker = 0; worker < kWorkers; ++worker) workers_.emplace_back([this] { work(); });
  if (auto started = store_.start([this](const Key& key) { changed(key); }); !started)
    return started;
  capacity_.emplace(store_, service_, mode_);
  orphans_.emplace(store_, service_, mode_, orphan_options_);
  if (use_service_ != nullptr)
    use_watcher_.emplace(*use_service_, uses_,
                         [this](const UseTable::Changes& changes) { wake_used(changes); });
  if (online_.are_enabled() && online_.backup_locations != nullptr && mode_ == Mode::kAct)
    backup_locations_.emplace(*online_.backup_locations, *online_.catalog, *online_.transfers);
  return {};
}

void Controller::stop() {
  stop_.request_stop();
  queue_.close();
  store_.stop();
  service_.cancel();
  if (use_service_ != nullptr) use_service_->stop();
  if (online_.are_enabled()) {
    online_.catalog->stop();
    online_.transfers->stop();
  }
  if (transfers_) transfers_->stop();
  if (backup_locations_) backup_locations_->stop();
  // It stays in place after its stop, because readiness can be read until the end.
  if (capacity_) capacity_->stop();
  if (orphans_) orphans_->stop();
  if (use_watcher_) use_watcher_->stop();
  workers_.clear();
}

// While an object waits for its retry, only a change of its request causes an earlier one: the
// reconciler's own writes of the status come back as changes, too [R-FAIL-5].
void Controller::changed(const Key& key) {
  wake_dependents(key);
  const auto shown = store_.get(key);
  if (shown) times_.seen(*shown, ProvisioningTimes::Time::clock::now());
  if (shown && tracker_.of(*shown).failures > 0) return;
  queue_.add(key, WorkQueue::Clock::now());
}

std::string Controller::metrics() const {
  const auto counts = orphans_ ? orphans_->counts() : std::nullopt;
  const auto csi_states = uses_.is_enabled() ? std::optional{tracker_.csi_states()} : std::nullopt;
  return metrics_.text(tracker_.phases(), csi_states, counts, is_store_ready(),
                       is_lvmd_connected());
}

std::string Controller::orphans() const { return orphans_ ? orphans_->report() : ""; }

void Controller::wake_dependents(const Key& source) {
  for (const Key& waiting : tracker_.waiting_for(source))
    queue_.add(waiting, WorkQueue::Clock::now());
}

// All objects of the store, because one that is being reconciled for the first time may have been
// planned with the previous state.
void Controller::wake_used(const UseTable::Changes& changes) {
  for (const Key& key : store_.keys()) {
    const auto shown = store_.get(key);
    if (shown && (changes.are_all || changes.volumes.contains(shown->uid)))
      queue_.add(key, WorkQueue::Clock::now());
  }
}

void Controller::forget(const Key& key) {
  tracker_.forget(key);
  times_.forget(key);
}

// A store can report for a moment, wrongly, that the object does not exist. The object must still
// be looked at afterwards [R-RUN-6].
bool Controller::still_exists(const LogicalVolume& shown) {
  const auto now = store_.reread(shown.key);
  if (now && now->uid == shown.uid) {
    tracker_.forget(shown.key);
    return true;
  }
  if (!stop_.stop_requested()) queue_.add(shown.key, WorkQueue::Clock::now() + kLookAgain);
  return false;
}

void Controller::work() {
  while (const auto key = queue_.take()) {
    reconcile(*key);
    queue_.done(*key);
  }
}

void Controller::reconcile(const Key& key) {
  const auto shown = store_.get(key);
  if (!shown) {
    forget(key);
    return;
  }
  if (tracker_.is_gone(*shown) && !still_exists(*shown)) return;
  Reconciliation reconciliation{store_,  service_, tracker_.of(*shown), stop_.get_token(), mode_,
                                online_, &uses_};
  const auto begin = std::chrono::steady_clock::now();
  const ReconcileResult outcome = reconciliation.run();
  const bool is_well = outcome == ReconcileResult::kSettled || outcome == ReconcileResult::kWaiting;
  metrics_.reconciled(is_well || outcome == ReconcileResult::kGone,
                      std::chrono::steady_clock::now() - begin);
  if (outcome == ReconcileResult::kGone) {
    times_.forget(key);
    tracker_.note_gone(reconciliation.progress().seen);
    // The store may not show the object any more, and it reports that only once.
    if (!store_.get(key))
      forget(key);
    else
      queue_.add(key, WorkQueue::Clock::now() + kLookAgain);
    return;
  }
  ObjectProgress progress = reconciliation.progress();
  if (const auto took = times_.finished(progress.seen, ProvisioningTimes::Time::clock::now()))
    metrics_.volume_provisioned(*took);
  progress.failures = is_well ? 0 : progress.failures + 1;
  tracker_.note(progress);
  // The others may have waited for this object's volume. A store that does not watch the
  // reconciler's own writes does not report it.
  if (progress.failures == 0) wake_dependents(key);
  if (stop_.stop_requested()) return;
  if (outcome == ReconcileResult::kWaiting) schedule(reconciliation);
  if (progress.failures == 0) return;
  const auto wait = retry_after(progress.failures, random_jitter(),
                                outcome == ReconcileResult::kRefused ? kRefusalPace : Pace{});
  log::info(fmt::format("{}: trying again in {} ms", to_string(key), wait.count()));
  queue_.add(key, WorkQueue::Clock::now() + wait);
}

void Controller::schedule(const Reconciliation& reconciliation) {
  const Key& key = reconciliation.progress().seen.key;
  if (transfers_ && reconciliation.awaited()) transfers_->follow(key, *reconciliation.awaited());
  queue_.add(key, WorkQueue::Clock::now() + reconciliation.wait());
}

}  // namespace lvmd::reconciler
