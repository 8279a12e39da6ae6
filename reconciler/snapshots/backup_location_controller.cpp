#include "reconciler/snapshots/backup_location_controller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/model/condition.hpp"

namespace lvmd::reconciler {
namespace {

// A change wakes the worker earlier.
constexpr std::chrono::hours kNever{24};

std::string now() { return to_timestamp(std::chrono::system_clock::now()); }

}  // namespace

BackupLocationController::BackupLocationController(BackupLocationStore& store,
                                                   SnapshotCatalog& catalog,
                                                   TransferService& transfers, double (*jitter)())
    : store_(store), catalog_(catalog), transfers_(transfers), jitter_(jitter) {
  store_.start([this] {
    const std::lock_guard lock{mutex_};
    is_changed_ = true;
    changed_.notify_all();
  });
  worker_ = std::jthread{[this](const std::stop_token& stop) { work(stop); }};
}

void BackupLocationController::stop() {
  if (!worker_.joinable()) return;
  worker_.request_stop();
  store_.stop();
  worker_.join();
}

void BackupLocationController::work(const std::stop_token& stop) {
  std::unique_lock lock{mutex_};
  while (!stop.stop_requested()) {
    is_changed_ = false;
    lock.unlock();
    const Clock::time_point next = process_all(stop);
    lock.lock();
    static_cast<void>(changed_.wait_until(lock, stop, next, [this] { return is_changed_; }));
  }
}

BackupLocationController::Clock::time_point BackupLocationController::process_all(
    const std::stop_token& stop) {
  Clock::time_point next = Clock::now() + kNever;
  std::map<std::string, Known> gone = std::exchange(known_, {});
  const auto backup_locations = store_.backup_locations();
  for (const BackupLocation& location : backup_locations)
    if (auto kept = gone.extract(location.name.name)) known_.insert(std::move(kept));
  for (const BackupLocation& location : backup_locations) {
    if (stop.stop_requested()) return next;
    Known* const known = recognise(location);
    if (known == nullptr) continue;
    const auto unchanged =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - known->since);
    const CheckPlan plan = plan_check(location, {.node = store_.node(),
                                                 .unchanged = unchanged,
                                                 .failures = known->failures,
                                                 .jitter = known->jitter});
    if (plan.step == CheckPlan::Step::kNothing) continue;
    if (plan.wait.count() > 0) {
      next = std::min(next, Clock::now() + plan.wait);
      continue;
    }
    if (plan.step == CheckPlan::Step::kClaim)
      claim(location, *known);
    else
      check(location, *known, stop);
    next = Clock::now();
  }
  return next;
}

BackupLocationController::Known* BackupLocationController::recognise(
    const BackupLocation& location) {
  Known& known = known_[location.name.name];
  if (known.uid == location.uid && known.superseded == location.resource_version) return nullptr;
  // The location has changed: earlier failures do not concern it any more.
  if (known.uid != location.uid || known.resource_version != location.resource_version)
    known = {.uid = location.uid,
             .resource_version = location.resource_version,
             .superseded = {},
             .since = Clock::now(),
             .jitter = jitter_()};
  known.superseded.clear();
  return &known;
}

void BackupLocationController::claim(const BackupLocation& location, Known& known) {
  write(location, check_claim(location, store_.node(), now()), known);
}

void BackupLocationController::check(const BackupLocation& location, Known& known,
                                     const std::stop_token& stop) {
  const auto transfer = run_check(location);
  if (stop.stop_requested()) return;
  const CheckFinding finding = finding_of(location, transfer, store_.node(), now());
  known.failures = finding.is_passing ? known.failures + 1 : 0;
  known.jitter = jitter_();
  known.since = Clock::now();
  if (!transfer)
    log::info(fmt::format("backup location {}: not checked: {}", to_string(location.name),
                          describe(transfer.error())));
  if (finding.status) write(location, *finding.status, known);
}

// The credentials are read here, and sent with the request [R-ONLINE-9].
Result<Transfer> BackupLocationController::run_check(const BackupLocation& location) {
  auto opened = catalog_.open_location({}, location.name);
  if (!opened) return std::unexpected(std::move(opened.error()));
  opened->deadline_seconds =
      static_cast<std::uint32_t>(std::chrono::seconds{kLongestCheck}.count());
  std::string repository = check_repository(opened->location);
  return transfers_.check(location.uid,
                          {.location = std::move(repository), .settings = std::move(*opened)});
}

void BackupLocationController::write(const BackupLocation& location,
                                     const BackupLocationStatus& status, Known& known) {
  const auto written = store_.write_status(location, status);
  known.since = Clock::now();
  if (!written) {
    // Another node has claimed the check, or the location was changed. The watch reports it.
    const bool is_lost = written.error().code == Code::kAborted;
    if (!is_lost && written.error().code != Code::kCancelled)
      log::warning(fmt::format("backup location {}: its status cannot be written: {}",
                               to_string(location.name), describe(written.error())));
    ++known.failures;
    return;
  }
  const bool is_new = !location.status || location.status->phase != status.phase;
  if (is_new)
    log::notice(fmt::format("backup location {} is {}{}{}", to_string(location.name),
                            to_string(status.phase), status.message.empty() ? "" : ": ",
                            status.message));
  if (written->resource_version == location.resource_version) return;
  known.superseded = location.resource_version;
  known.resource_version = written->resource_version;
}

}  // namespace lvmd::reconciler
