// The supervisor's side of transfers: real records in a real folder, and in the place of each mover
// a process that does nothing but live.
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

  // Makes the folder.
  FakeMovers(std::string directory, Reply reply);
  FakeMovers(const FakeMovers&) = delete;
  FakeMovers& operator=(const FakeMovers&) = delete;
  // Ends the processes.
  ~FakeMovers();

  [[nodiscard]] const std::string& directory() const { return directory_; }

  // A request of the server: a start leaves a PENDING record, a cancellation a CANCELLED one.
  void take(const internal::TransferRequest& request);

  // From now on requests wait for release().
  void hold();
  void release();
  // Starts from now on fail with this error; absent: they work.
  void refuse_with(std::optional<Error> error);

  // All requests so far.
  [[nodiscard]] std::vector<internal::TransferRequest> requests() const;
  [[nodiscard]] bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit) const;

  // The transfer's mover begins: it holds the lock, and the record says RUNNING.
  [[nodiscard]] Status run(const transfers::TransferKey& key);
  // As that mover writes its record.
  [[nodiscard]] Status write(const transfers::TransferKey& key,
                             const std::function<void(v1::Transfer&)>& change);
  // It dies where it is.
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
