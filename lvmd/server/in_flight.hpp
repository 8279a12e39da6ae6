// Counts the calls and streams in flight, so that a stop can wait for their end.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace lvmd::server {

// Thread-safe.
class InFlight {
 public:
  // Returns false after close(): then the call must not begin. Call end() once for each true.
  [[nodiscard]] bool begin() {
    const std::lock_guard lock{mutex_};
    if (closed_) return false;
    ++count_;
    return true;
  }

  void end() {
    const std::lock_guard lock{mutex_};
    --count_;
    empty_.notify_all();
  }

  void close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
  }

  // Waits until the count is zero, at most `limit`. Returns whether it is.
  [[nodiscard]] bool wait_until_empty(std::chrono::milliseconds limit) {
    std::unique_lock lock{mutex_};
    return empty_.wait_for(lock, limit, [this] { return count_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable empty_;
  std::size_t count_ = 0;
  bool closed_ = false;
};

}  // namespace lvmd::server
