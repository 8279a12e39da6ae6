#include "reconciler/snapshots/backup_location_controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/model/condition.hpp"

namespace lvmd::reconciler {
namespace {

// Somebody wakes the worker before that.
constexpr std::chrono::hours kNever{24};

std::string now() { return to_timestamp(std::chrono::system_clock::now()); }

}  // namespace

StorageKeeper::StorageKeeper(StorageStore& store, SnapshotCatalog& catalog,
                             TransferService& transfers, double (*jitter)())
    : store_(store), catalog_(catalog), transfers_(transfers), jitter_(jitter) {
  store_.start([this] {
    const std::lock_guard lock{mutex_};
    news_ = true;
    changed_.notify_all();
  });
  worker_ = std::jthread{[this](const std::stop_token& stop) { work(stop); }};
}

void StorageKeeper::stop() {
  if (!worker_.joinable()) return;
  worker_.request_stop();
  store_.stop();
  worker_.join();
}

void StorageKeeper::work(const std::stop_token& stop) {
  std::unique_lock lock{mutex_};
  while (!stop.stop_requested()) {
    news_ = false;
    lock.unlock();
    const Clock::time_point next = look_at_all(stop);
    lock.lock();
    static_cast<void>(changed_.wait_until(lock, stop, next, [this] { return news_; }));
  }
}

StorageKeeper::Clock::time_point StorageKeeper::look_at_all(const std::stop_token& stop) {
  Clock::time_point next = Clock::now() + kNever;
  std::map<std::string, Known> gone = std::exchange(known_, {});
  const auto storages = store_.storages();
  for (const BackupStorage& storage : storages)
    if (auto kept = gone.extract(storage.name.name)) known_.insert(std::move(kept));
  for (const BackupStorage& storage : storages) {
    if (stop.stop_requested()) return next;
    Known* const known = recognise(storage);
    if (known == nullptr) continue;
    const auto unchanged =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - known->since);
    const StoragePlan plan = plan_storage(storage, {.node = store_.node(),
                                                    .unchanged = unchanged,
                                                    .failures = known->failures,
                                                    .jitter = known->jitter});
    if (plan.step == StoragePlan::Step::kNothing) continue;
    if (plan.wait.count() > 0) {
      next = std::min(next, Clock::now() + plan.wait);
      continue;
    }
    if (plan.step == StoragePlan::Step::kClaim)
      claim(storage, *known);
    else
      check(storage, *known, stop);
    next = Clock::now();
  }
  return next;
}

StorageKeeper::Known* StorageKeeper::recognise(const BackupStorage& storage) {
  Known& known = known_[storage.name.name];
  if (known.uid == storage.uid && known.superseded == storage.resource_version) return nullptr;
  // Not as we left it: what failed has nothing to do with it any more.
  if (known.uid != storage.uid || known.resource_version != storage.resource_version)
    known = {.uid = storage.uid,
             .resource_version = storage.resource_version,
             .superseded = {},
             .since = Clock::now(),
             .jitter = jitter_()};
  known.superseded.clear();
  return &known;
}

void StorageKeeper::claim(const BackupStorage& storage, Known& known) {
  write(storage, claim_of(storage, store_.node(), now()), known);
}

void StorageKeeper::check(const BackupStorage& storage, Known& known, const std::stop_token& stop) {
  const auto told = ask(storage);
  if (stop.stop_requested()) return;
  const StorageFinding finding = finding_of(storage, told, store_.node(), now());
  known.failures = finding.is_passing ? known.failures + 1 : 0;
  known.jitter = jitter_();
  known.since = Clock::now();
  if (!told)
    log::info(fmt::format("storage {}: not checked: {}", to_string(storage.name),
                          describe(told.error())));
  if (finding.status) write(storage, *finding.status, known);
}

// The credentials are read here, and go with the request [R-ONLINE-9].
Result<Transfer> StorageKeeper::ask(const BackupStorage& storage) {
  auto opened = catalog_.open_storage({}, storage.name);
  if (!opened) return std::unexpected(std::move(opened.error()));
  opened->deadline_seconds =
      static_cast<std::uint32_t>(std::chrono::seconds{kLongestCheck}.count());
  std::string location = check_location(opened->location);
  return transfers_.check(
      {.id = storage.uid,
       .repository = {.location = std::move(location), .storage = std::move(*opened)}});
}

void StorageKeeper::write(const BackupStorage& storage, const StorageStatus& status, Known& known) {
  const auto written = store_.write_status(storage, status);
  known.since = Clock::now();
  if (!written) {
    // Another node has it, or somebody has changed it: the watch tells.
    const bool is_lost = written.error().code == Code::kAborted;
    if (!is_lost && written.error().code != Code::kCancelled)
      log::warning(fmt::format("storage {}: its status can't be written: {}",
                               to_string(storage.name), describe(written.error())));
    ++known.failures;
    return;
  }
  const bool is_news = !storage.status || storage.status->phase != status.phase;
  if (is_news)
    log::notice(fmt::format("storage {} is {}{}{}", to_string(storage.name),
                            to_string(status.phase), status.message.empty() ? "" : ": ",
                            status.message));
  if (written->resource_version == storage.resource_version) return;
  known.superseded = storage.resource_version;
  known.resource_version = written->resource_version;
}

}  // namespace lvmd::reconciler
