// A worker without LVM: answers the server over the real channel from a FakeVg, and can be held up,
// be stuck, or die.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "lvmd/ipc/channel.hpp"
#include "tests/fakes/fake_vg.hpp"

namespace lvmd::fakes {

class FakeWorker {
 public:
  explicit FakeWorker(FakeVg& vg) : vg_(vg) {}
  FakeWorker(const FakeWorker&) = delete;
  FakeWorker& operator=(const FakeWorker&) = delete;
  ~FakeWorker() { die(); }

  // Serves this channel on a thread of its own until its end.
  void start(ipc::Channel server);
  // Ends at once, with or without a request in hand.
  void die();

  // Requests are received but not carried out until release().
  void hold();
  void release();
  // True once so many requests were received since the worker was made.
  [[nodiscard]] bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit);
  [[nodiscard]] std::size_t requests();

  // The next request is answered with this error, and changes nothing.
  void fail_next(Error error);

  // Tells the server that an LVM command has been running for so long.
  [[nodiscard]] Status announce_busy(const std::string& command, std::chrono::seconds duration);
  [[nodiscard]] Status announce_idle();
  // These volumes are being made and must not be seen; also told with every reply from now on.
  [[nodiscard]] Status hide(std::vector<std::string> volumes);
  // True once the server has taken so many sets of hidden volumes since the worker was made.
  [[nodiscard]] bool wait_for_hidden_acknowledged(std::size_t count,
                                                  std::chrono::milliseconds limit);

 private:
  void serve();
  [[nodiscard]] Status answer(const internal::WorkerRequest& request);
  [[nodiscard]] Status send(const internal::WorkerEvent& event);

  FakeVg& vg_;
  ipc::Channel server_;
  std::thread thread_;
  std::mutex send_mutex_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool held_ = false;
  std::optional<Error> failure_;
  bool dying_ = false;
  std::size_t requests_ = 0;
  std::size_t hidden_acknowledged_ = 0;
  std::vector<std::string> hidden_;
};

}  // namespace lvmd::fakes
