// The transfers of this host as their records say [P-XFER-2, P-XFER-3]: read from the movers'
// folder, never written there. So a new server knows what an earlier one knew.
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

// What is left to do for a restore whose mover has succeeded, before anybody is told so
// [P-XFER-23].
struct Completion {
  // Nothing is left. Must return at once: it is called with the book's lock held.
  std::function<bool(const v1::Transfer&)> is_done;
  // Begins to do it; calls `ended` when that has come to an end, however. Called again, every
  // second, until is_done() says so.
  std::function<void(const v1::Transfer&, std::function<void()> ended)> carry_out;
};

// Thread-safe. A transfer whose mover has died is shown as FAILED, Interrupted; a restore that has
// succeeded as RUNNING until it is complete. Changes come by inotify; while a transfer runs, its
// mover is looked after every second too.
class TransferIndex {
 public:
  using Subscriber = server::Broadcast<v1::Transfer>::Subscriber;

  // Without a Completion nothing is left to do for a restore.
  explicit TransferIndex(std::filesystem::path directory, Completion completion = {});
  TransferIndex(const TransferIndex&) = delete;
  TransferIndex& operator=(const TransferIndex&) = delete;
  ~TransferIndex();

  // The record as it is on disk now, shown as above. Absent when there is none that can be read.
  [[nodiscard]] std::optional<internal::TransferRecord> look_up(const TransferKey& key);

  // By operation and id.
  [[nodiscard]] std::vector<v1::Transfer> list();
  // Those whose mover hasn't ended.
  [[nodiscard]] std::set<TransferKey> running() const;

  // The subscriber gets the transfer as it is, before this returns, and then each change; NotFound
  // ends it when there is none of that name. It must return at once and not call back. There are at
  // most kMaxSubscribers [P-SOCK-23].
  void add(const TransferKey& key, Subscriber& subscriber);
  // The subscriber isn't called any more once this has returned. One that was never added is fine.
  void remove(Subscriber& subscriber);
  // Ends all subscribers, present and future.
  void end(const Error& reason);

 private:
  struct Entry {
    internal::TransferRecord on_disk;
    internal::TransferRecord shown;
    std::shared_ptr<const v1::Transfer> told;
    // Of a restore that has succeeded: nothing is left to do for it.
    bool complete = false;

    [[nodiscard]] bool is_completing() const;
  };

  void watch();
  void take_events();
  void rescan();
  void look_after_running();
  // Restores whose movers have succeeded.
  void complete_restores();
  [[nodiscard]] bool has_running() const;
  // Reads the record of the key; the lock is held by the caller.
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

// Its mover has succeeded, but it isn't complete: RUNNING, with a step that no mover has.
[[nodiscard]] bool is_completing(const v1::Transfer& transfer);

// There is no transfer of that name.
[[nodiscard]] Error transfer_not_found(const TransferKey& key);

}  // namespace lvmd::transfers
