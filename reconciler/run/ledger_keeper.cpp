#include "reconciler/run/ledger_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <set>
#include <utility>

#include "lvmd/base/log.hpp"

namespace lvmd::reconciler {
namespace {

std::chrono::seconds age(const Ledger::Orphan& orphan) {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() -
                                                          orphan.since);
}

// Each once, when it is first seen.
void log_news(const std::optional<Ledger>& before, const Ledger& now) {
  for (const auto& [path, orphan] : now.orphans())
    if (!before || !before->orphans().contains(path))
      log::warning(fmt::format("{} has no object", path));
  std::set<std::string> known;
  if (before)
    for (const Claim& claim : before->missing()) known.insert(claim.uid);
  for (const Claim& claim : now.missing())
    if (!known.contains(claim.uid))
      log::warning(fmt::format("{}: its volume {} is not there", to_string(claim.key), claim.uid));
}

}  // namespace

LedgerKeeper::LedgerKeeper(VolumeStore& store, VolumeService& service, Mode mode,
                           LedgerOptions options)
    : store_(store),
      service_(service),
      mode_(mode),
      options_(options),
      worker_([this](const std::stop_token& stop) { work(stop); }) {}

std::optional<LedgerKeeper::Counts> LedgerKeeper::counts() const {
  const std::lock_guard lock{mutex_};
  if (!ledger_) return std::nullopt;
  return Counts{.orphans = ledger_->orphans().size(), .missing = ledger_->missing().size()};
}

std::string LedgerKeeper::report() const {
  const std::lock_guard lock{mutex_};
  if (!ledger_) return "not known: the objects or lvmd can't be asked at the moment\n";
  std::string text;
  for (const auto& [path, orphan] : ledger_->orphans())
    text += fmt::format("volume {} of {} bytes, class {}, has had no object for {} s\n", path,
                        orphan.volume.size.value, orphan.volume.device_class, age(orphan).count());
  for (const Claim& claim : ledger_->missing())
    text += fmt::format("object {} has no volume {}\n", to_string(claim.key), claim.uid);
  return text.empty() ? "every volume has its object, and every object its volume\n" : text;
}

void LedgerKeeper::stop() {
  worker_.request_stop();
  if (worker_.joinable()) worker_.join();
}

void LedgerKeeper::work(const std::stop_token& stop) {
  // What a look finds is at most so old when it is acted upon.
  const auto every =
      options_.remove_after
          ? std::clamp(*options_.remove_after / 2, std::chrono::milliseconds{10}, options_.every)
          : options_.every;
  std::mutex mutex;
  std::condition_variable_any never;
  // Until the first look succeeds, as soon as all are there.
  constexpr std::chrono::milliseconds kSoon{1000};
  while (!stop.stop_requested()) {
    std::optional<Ledger> seen = look();
    if (seen && options_.remove_after && mode_ == Mode::kAct) remove_old(*seen, stop);
    const auto wait = seen ? every : std::min(every, kSoon);
    {
      const std::lock_guard lock{mutex_};
      ledger_ = std::move(seen);
    }
    std::unique_lock lock{mutex};
    static_cast<void>(never.wait_for(lock, stop, wait, [] { return false; }));
  }
}

std::optional<Ledger> LedgerKeeper::look() {
  // Before the calls: they are in vain without the objects.
  if (!store_.claims()) return std::nullopt;
  const auto inventory = service_.inventory();
  if (!inventory) return std::nullopt;
  const auto claims = store_.claims();
  if (!claims) return std::nullopt;
  std::optional<Ledger> before;
  {
    const std::lock_guard lock{mutex_};
    before = ledger_;
  }
  Ledger now = before.value_or(Ledger{});
  now.enter(*inventory, *claims, std::chrono::steady_clock::now());
  log_news(before, now);
  return now;
}

// lvmd refuses to remove what is in use.
void LedgerKeeper::remove_old(Ledger& ledger, const std::stop_token& stop) {
  for (const ListedVolume& volume :
       ledger.removable(std::chrono::steady_clock::now(), *options_.remove_after)) {
    if (stop.stop_requested()) return;
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
