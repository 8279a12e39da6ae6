// A worker without LVM: answers the server over the real channel from a FakeVg, and can be delayed,
// stuck or ended.
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

  // Serves this channel on its own thread until the channel ends.
  void start(ipc::Channel server);
  // Ends at once, also during a request.
  void die();

  // Receives requests but does not run them until release().
  void hold();
  void release();
  // Waits until this number of requests was received since construction; false at the limit.
  [[nodiscard]] bool wait_for_requests(std::size_t count, std::chrono::milliseconds limit);
  [[nodiscard]] std::size_t requests();

  // Answers the next request with this error, and changes nothing.
  void fail_next(Error error);

  // Reports that an LVM command has been running for this time.
  [[nodiscard]] Status announce_busy(const std::string& command, std::chrono::seconds duration);
  [[nodiscard]] Status announce_idle();
  // Hides these volumes, and sends them with every reply from now on.
  [[nodiscard]] Status hide(std::vector<std::string> volumes);
  // Waits until the server has acknowledged this number of sets of hidden volumes; false at the
  // limit.
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
