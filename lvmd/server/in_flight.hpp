// Calls and streams that have begun, counted so that stopping can wait for their ends.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace lvmd::server {

// Thread-safe.
class InFlight {
 public:
  // False once closed: then nothing may begin. Each true one is followed by one end().
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

  // Whether nothing is left within `limit`.
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
