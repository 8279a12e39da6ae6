// The transfers of this host, read from the movers' records [P-XFER-2, P-XFER-3]. Never writes
// records. A new server so has the same transfers as the one before.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

// The remaining work for a restore whose mover has succeeded, before the restore is reported as
// succeeded [P-XFER-23].
struct Completion {
  // Whether nothing remains. Must return at once: it is called with the index's lock held.
  std::function<bool(const v1::Transfer&)> is_done;
  // Starts the remaining work, and calls `ended` when it has ended, with or without success. Called
  // again every second until is_done() returns true.
  std::function<void(const v1::Transfer&, std::function<void()> ended)> carry_out;
};

// Thread-safe. Shows a transfer whose mover has died as FAILED, Interrupted, and a restore that has
// succeeded as RUNNING until it is complete. Changes arrive by inotify; while a transfer runs, its
// mover is also checked every second.
class TransferIndex {
 public:
  using Subscriber = server::Broadcast<v1::Transfer>::Subscriber;

  // Without a Completion, restores are complete when their mover has succeeded.
  explicit TransferIndex(std::filesystem::path directory, Completion completion = {});
  TransferIndex(const TransferIndex&) = delete;
  TransferIndex& operator=(const TransferIndex&) = delete;
  ~TransferIndex();

  // The current record on disk, shown as described above. Absent when there is no readable one.
  [[nodiscard]] std::optional<internal::TransferRecord> look_up(const TransferKey& key);

  // All transfers, sorted by operation and id.
  [[nodiscard]] std::vector<v1::Transfer> list();
  // The transfers whose mover has not ended.
  [[nodiscard]] std::set<TransferKey> running() const;

  // Offers the current transfer before it returns, and then each change. Ends the subscriber with
  // NotFound when there is none of that name, and with ResourceExhausted above kMaxSubscribers
  // [P-SOCK-23]. The subscriber must return at once and not call back.
  void add(const TransferKey& key, Subscriber& subscriber);
  // No call of the subscriber runs or begins once this has returned. Ignores an unknown subscriber.
  void remove(Subscriber& subscriber);
  // Ends all subscribers, present and future.
  void end(const Error& reason);

 private:
  struct Entry {
    internal::TransferRecord on_disk;
    internal::TransferRecord shown;
    std::shared_ptr<const v1::Transfer> sent;
    // Set for a succeeded restore for which nothing remains to do.
    bool complete = false;

    [[nodiscard]] bool is_completing() const;
  };

  void watch();
  void take_events();
  void rescan();
  void check_running();
  // Starts the remaining work of restores whose movers have succeeded.
  void complete_restores();
  [[nodiscard]] bool has_running() const;
  // Reads the record of the key. The caller holds the lock.
  void update(const TransferKey& key);
  void forget(const TransferKey& key);

  const std::filesystem::path directory_;
  const Completion completion_;
  UniqueFd events_;
  UniqueFd stop_;
  mutable std::mutex mutex_;
  std::map<TransferKey, Entry> entries_;
  std::map<Subscriber*, TransferKey> subscribers_;
  std::optional<Error> ended_;
  std::thread watcher_;
};

// Whether the restore's mover has succeeded but the restore is not complete: RUNNING, with a step
// that movers don't use.
[[nodiscard]] bool is_completing(const v1::Transfer& transfer);

// The error for a transfer that does not exist.
[[nodiscard]] Error transfer_not_found(const TransferKey& key);

}  // namespace lvmd::transfers
