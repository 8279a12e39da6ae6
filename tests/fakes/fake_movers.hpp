// The supervisor's side of transfers: real records in a real folder, and an idle process in place
// of each mover.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/transfers/record/record.hpp"

namespace lvmd::fakes {

// Thread-safe.
class FakeMovers {
 public:
  using Reply = std::function<Status(const internal::TransferReply&)>;

  // Creates the folder.
  FakeMovers(std::string directory, Reply reply);
  FakeMovers(const FakeMovers&) = delete;
  FakeMovers& operator=(const FakeMovers&) = delete;
  // Kills the processes.
  ~FakeMovers();

  [[nodiscard]] const std::string& directory() const { return directory_; }

  // Handles a request of the server: a start writes a PENDING record, a cancellation a CANCELLED
  // one.
  void take(const internal::TransferRequest& request);

  // Later requests wait for release().
  void hold();
  void release();
  // Later starts fail with this error; absent: they succeed.
  void refuse_with(std::optional<Error> error);

  // All requests until now.
  [[nodiscard]] std::vector<internal::TransferRequest> requests() const;
  [[nodiscard]] bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const;

  // The transfer's mover begins: it holds the lock, and the record says RUNNING.
  [[nodiscard]] Status run(const transfers::TransferKey& key);
  // Writes the record as the mover does.
  [[nodiscard]] Status write(const transfers::TransferKey& key,
                             const std::function<void(v1::Transfer&)>& change);
  // Kills the mover; its record does not change.
  void kill(const transfers::TransferKey& key);

 private:
  void answer(const internal::TransferRequest& request);
  [[nodiscard]] Status begin(const internal::MoverJob& job);
  [[nodiscard]] Status cancel(const transfers::TransferKey& key);

  const std::string directory_;
  const Reply reply_;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<internal::TransferRequest> requests_;
  std::deque<internal::TransferRequest> waiting_;
  std::optional<Error> refusal_;
  bool holding_ = false;
  std::map<transfers::TransferKey, pid_t> processes_;
};

}  // namespace lvmd::fakes
