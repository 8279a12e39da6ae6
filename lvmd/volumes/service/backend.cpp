#include "lvmd/volumes/service/backend.hpp"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/volumes/service/responses.hpp"
#include "lvmd/volumes/service/state_metrics.hpp"
#include "lvmd/volumes/service/volumes_without_class.hpp"
#include "lvmd/volumes/service/watch_changes.hpp"

namespace lvmd::volumes {
namespace {

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

Backend::Backend(model::ClassCatalog catalog, const std::vector<std::string>& volume_groups,
                 server::Metrics& metrics)
    : metrics_(metrics),
      read_model_(volume_groups),
      health_(read_model_,
              {.worker_runs = [this](std::string_view name) { return is_attached(name); },
               .observer_runs =
                   [this](std::string_view name) {
                     const auto found = observer(name);
                     return found != nullptr && found->is_attached();
                   },
               .observer_step = [this](std::string_view name) { return observer_step(name); },
               .worker_step = [this](std::string_view name) -> std::optional<Step> {
                 const auto found = worker(name);
                 return found == nullptr ? std::nullopt : found->step();
               }}),
      catalog_(std::make_shared<const model::ClassCatalog>(std::move(catalog))) {
  read_model_.on_change([this] { changed(); });
  make_clients(volume_groups);
  health_.configure(catalog_, volume_groups);
  step_watcher_ = std::jthread{[this](const std::stop_token& stop) { watch_steps(stop); }};
}

Backend::~Backend() { detach(); }

void Backend::detach() {
  // All clients must still exist: their threads read each other's state in changed().
  for (auto& [name, worker] : workers_) worker->detach();
  for (auto& worker : retired_) worker->detach();
  for (auto& [name, observer] : observers_) observer->detach();
  for (auto& observer : retired_observers_) observer->detach();
  step_watcher_ = {};
}

void Backend::make_clients(const std::vector<std::string>& volume_groups) {
  for (const std::string& name : volume_groups) {
    if (!workers_.contains(name)) workers_.emplace(name, make_worker(name));
    if (!observers_.contains(name)) observers_.emplace(name, make_observer(name));
  }
}

std::shared_ptr<WorkerClient> Backend::make_worker(const std::string& volume_group) {
  return std::make_shared<WorkerClient>(
      volume_group, read_model_, metrics_,
      WorkerClient::Callbacks{
          .observer = [this, volume_group] { return observer_step(volume_group); },
          .change_begun =
              [this, volume_group] {
                if (const auto found = observer(volume_group)) found->announce_change();
              },
          .changed = [this] { changed(); },
          .step_begun = [this] { step_begun(); }});
}

std::shared_ptr<ObserverClient> Backend::make_observer(const std::string& volume_group) {
  return std::make_shared<ObserverClient>(
      volume_group, read_model_, [this] { changed(); }, [this] { step_begun(); });
}

Status Backend::attach_observer(std::string_view volume_group, ipc::Channel channel) {
  const auto found = observer(volume_group);
  if (found == nullptr)
    return fail(Code::kInvalidArgument,
                "an observer was attached for volume group {}, which is not configured",
                volume_group);
  found->attach(std::move(channel));
  return {};
}

// Not const: the change concerns the backend.
// NOLINTNEXTLINE(readability-make-member-function-const)
Status Backend::attach_worker(std::string_view volume_group, ipc::Channel channel) {
  const auto found = worker(volume_group);
  if (found == nullptr)
    return fail(Code::kInvalidArgument,
                "a worker was attached for volume group {}, which is not configured", volume_group);
  found->attach(std::move(channel));
  return {};
}

void Backend::reconfigure(model::ClassCatalog catalog,
                          const std::vector<std::string>& volume_groups) {
  const auto gone = [&volume_groups](const std::string& name) {
    return std::ranges::find(volume_groups, name) == volume_groups.end();
  };
  auto next = std::make_shared<const model::ClassCatalog>(std::move(catalog));
  for (const std::string& name : std::views::keys(workers_))
    if (gone(name)) log_removed_group(name);
  // Before the catalog changes: the read model must contain the groups of the new catalog.
  read_model_.set_volume_groups(volume_groups);
  {
    const std::lock_guard lock{configuration_mutex_};
    catalog_ = next;
    for (auto& [name, worker] : workers_)
      if (gone(name)) retired_.push_back(worker);
    std::erase_if(workers_, [&gone](const auto& entry) { return gone(entry.first); });
    for (auto& [name, observer] : observers_)
      if (gone(name)) retired_observers_.push_back(observer);
    std::erase_if(observers_, [&gone](const auto& entry) { return gone(entry.first); });
    make_clients(volume_groups);
  }
  std::erase_if(retired_observers_, [](const auto& observer) {
    if (observer->is_attached()) return false;
    observer->detach();
    return true;
  });
  std::erase_if(retired_, [](const auto& worker) {
    if (worker->is_attached()) return false;
    // Joins the thread here, so that the thread that drops the last reference does not wait.
    worker->detach();
    return true;
  });
  health_.configure(next, volume_groups);
  changed();
}

void Backend::log_removed_group(const std::string& volume_group) const {
  const auto group = read_model_.group(volume_group);
  if (!group) return;
  // With an empty catalog no volume has a class.
  const VolumesWithoutClass volumes = find_volumes_without_class(**group, {});
  if (!volumes.empty())
    log::warning(fmt::format("volume group {} is not configured any more and has {}", volume_group,
                             describe(volumes)),
                 {{log::kVg, volume_group}});
}

std::shared_ptr<const model::ClassCatalog> Backend::catalog() const {
  const std::lock_guard lock{configuration_mutex_};
  return catalog_;
}

std::shared_ptr<ObserverClient> Backend::observer(std::string_view volume_group) const {
  const std::lock_guard lock{configuration_mutex_};
  const auto found = observers_.find(volume_group);
  return found == observers_.end() ? nullptr : found->second;
}

std::optional<Step> Backend::observer_step(std::string_view volume_group) const {
  const auto found = observer(volume_group);
  return found == nullptr ? std::nullopt : found->step();
}

std::shared_ptr<WorkerClient> Backend::worker(std::string_view volume_group) const {
  const std::lock_guard lock{configuration_mutex_};
  const auto found = workers_.find(volume_group);
  return found == workers_.end() ? nullptr : found->second;
}

bool Backend::is_attached(std::string_view volume_group) const {
  const auto found = worker(volume_group);
  return found != nullptr && found->is_attached();
}

bool Backend::is_complete() const {
  const std::lock_guard lock{configuration_mutex_};
  return read_model_.is_complete() &&
         std::ranges::all_of(workers_, [](const auto& e) { return e.second->is_attached(); });
}

void Backend::open(std::chrono::milliseconds limit) {
  {
    std::unique_lock lock{change_mutex_};
    change_.wait_for(lock, limit, [this] { return waiting_stopped_ || is_complete(); });
  }
  open_ = true;
  changed();
}

void Backend::stop_waiting() {
  const std::lock_guard lock{change_mutex_};
  waiting_stopped_ = true;
  change_.notify_all();
}

void Backend::changed() {
  {
    // Taking the lock ensures that the waiter does not miss a change between its check and its
    // wait.
    const std::lock_guard lock{change_mutex_};
  }
  change_.notify_all();
  trigger_recovery();
  if (!open_) return;
  // The catalog is read under the feed's lock, so that the message sent last is made with the
  // newest catalog.
  watch_feed_.publish([this] { return watch_message(*catalog(), read_model_); },
                      [this](const proto::WatchResponse& sent, const proto::WatchResponse& newer) {
                        return is_significant_change(*catalog(), sent, newer);
                      });
  health_.refresh();
}

void Backend::trigger_recovery() {
  std::vector<std::shared_ptr<WorkerClient>> recovering;
  {
    const std::lock_guard configuration{configuration_mutex_};
    const std::lock_guard lock{usable_mutex_};
    std::set<std::string> usable;
    for (const auto& [name, worker] : workers_) {
      if (!read_model_.group(name)) continue;
      usable.insert(name);
      if (!usable_.contains(name)) recovering.push_back(worker);
    }
    usable_ = std::move(usable);
  }
  for (const auto& worker : recovering) worker->recover();
}

void Backend::step_begun() {
  {
    const std::lock_guard lock{steps_mutex_};
    ++steps_begun_;
  }
  steps_.notify_all();
}

std::optional<MonotonicTime> Backend::next_stuck_at(MonotonicTime now) const {
  std::optional<MonotonicTime> next;
  const auto consider = [&](const std::optional<Step>& step) {
    if (!step) return;
    // Health reports a step without a limit after kStuckAfter.
    const auto at = step->stuck_at().value_or(
        MonotonicTime{step->since.nanoseconds + std::chrono::nanoseconds{kStuckAfter}.count()});
    if (at > now && (!next || at < *next)) next = at;
  };
  const std::lock_guard lock{configuration_mutex_};
  for (const auto& [name, worker] : workers_) consider(worker->step());
  for (const auto& [name, observer] : observers_) consider(observer->step());
  return next;
}

void Backend::watch_steps(const std::stop_token& stop) {
  std::uint64_t seen = 0;
  std::unique_lock lock{steps_mutex_};
  while (!stop.stop_requested()) {
    lock.unlock();
    const auto now = monotonic_now();
    const auto at = next_stuck_at(now);
    lock.lock();
    const auto has_changed = [&] { return steps_begun_ != seen; };
    if (!at) {
      steps_.wait(lock, stop, has_changed);
    } else if (!steps_.wait_for(lock, stop, *at - now, has_changed) && !stop.stop_requested()) {
      lock.unlock();
      changed();
      lock.lock();
    }
    seen = steps_begun_;
  }
}

std::vector<prometheus::MetricFamily> Backend::metrics() const {
  std::vector<GroupActivity> groups;
  {
    const std::lock_guard lock{configuration_mutex_};
    for (const auto& [name, worker] : workers_)
      groups.push_back({.volume_group = name, .queued_changes = worker->queued()});
  }
  return state_metrics(*catalog(), read_model_, groups, host_name(), monotonic_now());
}

void Backend::end_streams(const Error& reason) {
  watch_feed_.end(reason);
  health_.end(reason);
}

void Backend::end_changes(const Error& reason) {
  // Called without the lock, because callbacks of the changes may look up a worker.
  std::vector<std::shared_ptr<WorkerClient>> ending = retired_;
  {
    const std::lock_guard lock{configuration_mutex_};
    for (const auto& [name, worker] : workers_) ending.push_back(worker);
  }
  for (const auto& worker : ending) worker->end(reason);
}

}  // namespace lvmd::volumes
