// Waits for children of this process while other tests may have children too.
#pragma once

#include <chrono>
#include <thread>

namespace lvmd::transfers {

// Calls `reap` until `done` returns true. Returns whether it did within 20 s.
template <typename Reap, typename Done>
[[nodiscard]] bool reap_until(const Reap& reap, const Done& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (std::chrono::steady_clock::now() < end) {
    reap();
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return false;
}

}  // namespace lvmd::transfers
