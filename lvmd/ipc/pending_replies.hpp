// Requests that were sent to another process and wait for the reply with their number.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "lvmd/base/clock.hpp"

namespace lvmd::ipc {

// Thread-safe. Callbacks are called once each, without a lock held.
template <typename Reply>
class PendingReplies {
 public:
  using Callback = std::function<void(const Reply&)>;

  // The number for the request; `done` gets the reply with that number. Call it before the request
  // is sent. Absent after end(): then `done` has been called with what end() was given. A number is
  // not used again, not even by the next process of the same program.
  [[nodiscard]] std::optional<std::uint64_t> add(Callback done) {
    std::unique_lock lock{mutex_};
    if (!end_) {
      waiting_.emplace(++last_number_, std::move(done));
      return last_number_;
    }
    const Reply reply = *end_;
    lock.unlock();
    done(reply);
    return std::nullopt;
  }

  // False when no request with that number waits.
  bool complete(std::uint64_t number, const Reply& reply) {
    Callback done;
    {
      const std::lock_guard lock{mutex_};
      auto found = waiting_.extract(number);
      if (found.empty()) return false;
      done = std::move(found.mapped());
    }
    done(reply);
    return true;
  }

  // Completes every request, present and future, with `reply`.
  void end(const Reply& reply) {
    std::map<std::uint64_t, Callback> ended;
    {
      const std::lock_guard lock{mutex_};
      end_ = reply;
      ended = std::exchange(waiting_, {});
    }
    for (const auto& [number, done] : ended) done(reply);
  }

 private:
  std::mutex mutex_;
  std::map<std::uint64_t, Callback> waiting_;
  std::uint64_t last_number_ = static_cast<std::uint64_t>(monotonic_now().nanoseconds);
  std::optional<Reply> end_;
};

}  // namespace lvmd::ipc
