#include "reconciler/model/backoff.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <random>

namespace lvmd::reconciler {

std::chrono::milliseconds retry_after(unsigned failures, double jitter, const Pace& pace) {
  // Seven doublings exceed the longest wait. More would overflow.
  const unsigned doublings = std::min(failures == 0 ? 0U : failures - 1, 7U);
  const auto wait = std::min(pace.first * (1U << doublings), pace.longest);
  const double factor = 0.8 + 0.4 * jitter;
  return std::chrono::milliseconds{
      static_cast<std::chrono::milliseconds::rep>(static_cast<double>(wait.count()) * factor)};
}

double random_jitter() {
  static thread_local std::minstd_rand engine{std::random_device{}()};
  return std::uniform_real_distribution<double>{0.0, 1.0}(engine);
}

void pause(const std::stop_token& stop, std::chrono::milliseconds time) {
  std::mutex mutex;
  std::unique_lock lock{mutex};
  std::condition_variable_any never;
  static_cast<void>(never.wait_for(lock, stop, time, [] { return false; }));
}

}  // namespace lvmd::reconciler
