// The control channel, which carries the supervisor's frames to the server.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/module.hpp"

namespace lvmd::server {

// The first frame of the channel with the listening sockets it carries.
struct Setup {
  internal::ServerSetup message;
  // In the order of `message.listening_sockets`.
  std::vector<UniqueFd> sockets;
};

// InvalidArgument when the first frame is not the setup of a server. Unavailable when the
// supervisor closed the channel. Ends the process when the supervisor has another version.
[[nodiscard]] Result<Setup> receive_setup(ipc::Channel& control);

// Reads the frames after the first one, on a thread of its own, until the channel ends.
class Control {
 public:
  enum class Order : std::uint8_t {
    kRun,
    // The supervisor ordered a stop: the calls in flight are finished.
    kStop,
    // The channel is closed or broken: the calls in flight can't be finished.
    kLeave,
  };

  // The references must outlive it. Modules get frames until the destructor has returned.
  Control(ipc::Channel& control, Host& host, const Modules& modules);

  // From now on, answers a ping only when `answers` returns true; the function makes a call as a
  // client does. It runs on the thread that reads the channel. An empty function answers every
  // ping.
  void answer_pings_if(std::function<bool()> answers);
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  ~Control();

  // Waits until the order differs from `present`, at most `limit`. Returns the order.
  [[nodiscard]] Order wait(Order present, std::chrono::milliseconds limit);

 private:
  void read_frames();
  [[nodiscard]] Status answer_ping(const internal::Ping& ping);
  [[nodiscard]] Status handle(SupervisorFrame frame);
  [[nodiscard]] Status reconfigure(const internal::Configuration& configuration);
  void set(Order order);

  ipc::Channel& control_;
  Host& host_;
  const Modules& modules_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<bool()> answers_;
  Order order_ = Order::kRun;
  std::thread reader_;
};

}  // namespace lvmd::server
