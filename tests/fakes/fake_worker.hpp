// A worker without LVM: answers the server over the real channel from a FakeVg, and can be held up,
// be stuck, or die.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

#include "lvmd/channel/channel.hpp"
#include "tests/fakes/fake_vg.hpp"

namespace lvmd::fakes {

class FakeWorker {
 public:
  explicit FakeWorker(FakeVg& vg) : vg_(vg) {}
  FakeWorker(const FakeWorker&) = delete;
  FakeWorker& operator=(const FakeWorker&) = delete;
  ~FakeWorker() { die(); }

  // Serves this channel on a thread of its own until its end.
  void start(channel::Channel server);
  // Ends at once, with or without a request in hand.
  void die();

  // Requests are received but not carried out until release().
  void hold();
  void release();
  // True once so many requests were received since the worker was made.
  [[nodiscard]] bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit);
  [[nodiscard]] std::size_t requests();

  // Tells the server that an LVM command has been running for so long.
  [[nodiscard]] Status announce_busy(const std::string& command, std::chrono::seconds duration);
  [[nodiscard]] Status announce_idle();

 private:
  void serve();
  [[nodiscard]] Status answer(const internal::WorkerRequest& request);
  [[nodiscard]] Status send(const internal::WorkerEvent& event);

  FakeVg& vg_;
  channel::Channel server_;
  std::thread thread_;
  std::mutex send_mutex_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  bool dying_ = false;
  std::size_t requests_ = 0;
};

}  // namespace lvmd::fakes
