#include "lvmd/transfers/service/transfer_index.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ranges>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/transfers/record/interruption.hpp"
#include "lvmd/transfers/record/liveness.hpp"
#include "lvmd/transfers/record/record_files.hpp"

namespace lvmd::transfers {
namespace {

constexpr int kCheckIntervalMilliseconds = 1000;
constexpr std::string_view kCompleting = "completing";
// A new record, a lock released by the end of its mover, a removed record.
constexpr std::uint32_t kWatched = IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE;

Time wall_clock() { return std::chrono::system_clock::now(); }

bool is_over(const internal::TransferRecord& record) {
  return has_ended(record.transfer().phase());
}

bool is_same(const internal::TransferRecord& one, const internal::TransferRecord& other) {
  return one.SerializeAsString() == other.SerializeAsString();
}

bool has_succeeded(const v1::Transfer& transfer) {
  return transfer.operation() == v1::OPERATION_RESTORE && transfer.phase() == v1::PHASE_SUCCEEDED;
}

internal::TransferRecord completing(internal::TransferRecord record) {
  record.mutable_transfer()->set_phase(v1::PHASE_RUNNING);
  record.mutable_transfer()->set_step(std::string{kCompleting});
  record.mutable_transfer()->clear_completion_time();
  return record;
}

UniqueFd watch_folder(const std::filesystem::path& directory) {
  UniqueFd events{::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
  if (events && ::inotify_add_watch(events.get(), directory.c_str(), kWatched) >= 0) return events;
  log::warning(fmt::format(
      "lvmd checks the records of transfers every second, because it can't watch them: {}",
      errno_error(errno, directory.string()).message));
  return UniqueFd{};
}

}  // namespace

Error transfer_not_found(const TransferKey& key) {
  return make_error(Code::kNotFound, "there is no {} with id \"{}\"", operation_name(key.operation),
                    key.id)
      .because(reason::kTransferNotFound)
      .with(key::kTransfer, key.id);
}

bool is_completing(const v1::Transfer& transfer) {
  return transfer.phase() == v1::PHASE_RUNNING && transfer.step() == kCompleting;
}

bool TransferIndex::Entry::is_completing() const {
  return transfers::is_completing(shown.transfer());
}

TransferIndex::TransferIndex(std::filesystem::path directory, Completion completion)
    : directory_(std::move(directory)),
      completion_(std::move(completion)),
      events_(watch_folder(directory_)),
      stop_(::eventfd(0, EFD_CLOEXEC)) {
  rescan();
  watcher_ = std::thread{[this] { watch(); }};
}

TransferIndex::~TransferIndex() {
  ::eventfd_write(stop_.get(), 1);
  watcher_.join();
}

std::optional<internal::TransferRecord> TransferIndex::look_up(const TransferKey& key) {
  const std::lock_guard lock{mutex_};
  update(key);
  const auto found = entries_.find(key);
  return found == entries_.end() ? std::nullopt : std::optional{found->second.shown};
}

std::vector<v1::Transfer> TransferIndex::list() {
  const std::lock_guard lock{mutex_};
  std::vector<TransferKey> pending;
  for (const auto& [key, entry] : entries_)
    if (entry.is_completing()) pending.push_back(key);
  for (const TransferKey& key : pending) update(key);
  std::vector<v1::Transfer> transfers;
  transfers.reserve(entries_.size());
  for (const auto& [key, entry] : entries_) transfers.push_back(entry.shown.transfer());
  return transfers;
}

std::set<TransferKey> TransferIndex::running() const {
  const std::lock_guard lock{mutex_};
  std::set<TransferKey> keys;
  for (const auto& [key, entry] : entries_)
    if (!is_over(entry.shown) && !entry.is_completing()) keys.insert(key);
  return keys;
}

bool TransferIndex::has_running() const {
  const std::lock_guard lock{mutex_};
  return std::ranges::any_of(entries_, [](const auto& e) { return !is_over(e.second.shown); });
}

void TransferIndex::add(const TransferKey& key, Subscriber& subscriber) {
  const std::lock_guard lock{mutex_};
  if (ended_) return subscriber.end(*ended_);
  if (subscribers_.size() >= server::kMaxSubscribers)
    return subscriber.end(make_error(Code::kResourceExhausted,
                                     "{} streams of transfers are open, which is the limit: try "
                                     "again later",
                                     subscribers_.size())
                              .because(reason::kTooManyStreams)
                              .with(key::kLimit, server::kMaxSubscribers));
  update(key);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return subscriber.end(transfer_not_found(key));
  subscribers_.emplace(&subscriber, key);
  subscriber.offer(found->second.sent);
}

void TransferIndex::remove(Subscriber& subscriber) {
  const std::lock_guard lock{mutex_};
  subscribers_.erase(&subscriber);
}

void TransferIndex::end(const Error& reason) {
  const std::lock_guard lock{mutex_};
  ended_ = reason;
  for (const auto& [subscriber, key] : std::exchange(subscribers_, {})) subscriber->end(reason);
}

void TransferIndex::update(const TransferKey& key) {
  auto record = read_record(directory_, key);
  bool live = record && is_live(directory_, *record, wall_clock(), kStartTimeout);
  if (record && !live && !is_over(*record)) {
    // The transfer may have ended between the two checks.
    record = read_record(directory_, key);
    live = record && is_live(directory_, *record, wall_clock(), kStartTimeout);
  }
  if (!record) {
    if (record.error().code == Code::kNotFound) return forget(key);
    return log::warning(record.error().message);
  }
  Entry& entry = entries_[key];
  const bool same = is_same(entry.on_disk, *record);
  // Once reported, the end stays: its completion time is when it was first seen. The process that
  // settles the record holds the lock for a moment.
  if (same && is_over(entry.shown) && !is_over(*record)) return;
  if (!same) entry.complete = false;
  entry.on_disk = *record;
  if (has_succeeded(record->transfer()) && completion_.is_done) {
    // Once complete, a restore stays complete: later the volume may be removed, or its group be
    // unavailable.
    entry.complete = entry.complete || completion_.is_done(record->transfer());
    if (!entry.complete) record = completing(*std::move(record));
  } else if (!live && !is_over(*record)) {
    log::notice(fmt::format("the mover of {} has died", describe(key)),
                {{log::kTransfer, describe(key)}});
    record = interrupted(*std::move(record), wall_clock());
  }
  if (entry.sent != nullptr && is_same(entry.shown, *record)) return;
  entry.shown = *std::move(record);
  entry.sent = std::make_shared<const v1::Transfer>(entry.shown.transfer());
  for (const auto& [subscriber, name] : subscribers_)
    if (name == key) subscriber->offer(entry.sent);
}

void TransferIndex::forget(const TransferKey& key) {
  if (entries_.erase(key) == 0) return;
  std::erase_if(subscribers_, [&key](const auto& item) {
    if (item.second != key) return false;
    item.first->end(transfer_not_found(key));
    return true;
  });
}

void TransferIndex::rescan() {
  const auto records = list_records(directory_);
  if (!records) return log::warning(records.error().message);
  const std::lock_guard lock{mutex_};
  std::set<TransferKey> keys;
  for (const auto& [key, entry] : entries_) keys.insert(key);
  for (const auto& [key, record] : *records) keys.insert(key);
  for (const TransferKey& key : keys) update(key);
}

void TransferIndex::check_running() {
  const std::lock_guard lock{mutex_};
  std::vector<TransferKey> keys;
  for (const auto& [key, entry] : entries_)
    if (!is_over(entry.shown)) keys.push_back(key);
  for (const TransferKey& key : keys) update(key);
}

void TransferIndex::complete_restores() {
  std::vector<std::pair<TransferKey, v1::Transfer>> restores;
  {
    const std::lock_guard lock{mutex_};
    for (const auto& [key, entry] : entries_)
      if (entry.is_completing()) restores.emplace_back(key, entry.shown.transfer());
  }
  for (const auto& [key, restore] : restores)
    completion_.carry_out(restore, [this, key] {
      const std::lock_guard lock{mutex_};
      update(key);
    });
}

void TransferIndex::take_events() {
  alignas(inotify_event) std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t size = ::read(events_.get(), buffer.data(), buffer.size());
    if (size <= 0) return;
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* const name = buffer.data() + at + sizeof event;
      at += sizeof event + event.len;
      if ((event.mask & IN_Q_OVERFLOW) != 0) {
        rescan();
        continue;
      }
      if (event.len == 0) continue;
      auto key = key_of_record(name);
      if (!key) key = key_of_lock(name);
      if (!key) continue;
      const std::lock_guard lock{mutex_};
      update(*key);
    }
  }
}

void TransferIndex::watch() {
  for (;;) {
    std::array<pollfd, 2> polled{{{.fd = stop_.get(), .events = POLLIN, .revents = 0},
                                  {.fd = events_.get(), .events = POLLIN, .revents = 0}}};
    const bool blind = !events_;
    const int timeout = blind || has_running() ? kCheckIntervalMilliseconds : -1;
    if (::poll(polled.data(), blind ? 1 : 2, timeout) < 0 && errno != EINTR) return;
    if (polled[0].revents != 0) return;
    if (blind)
      rescan();
    else
      take_events();
    check_running();
    complete_restores();
  }
}

}  // namespace lvmd::transfers
