// The control channel: what the supervisor sends to the server.
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

// The first frame of the channel, with the listening sockets that it carries.
struct Setup {
  internal::ServerSetup message;
  UniqueFd full_socket;
  UniqueFd read_only_socket;
  // Empty when metrics are not served.
  UniqueFd metrics_socket;
};

// InvalidArgument when the first frame is not a server's setup; Unavailable when the supervisor has
// gone. Ends the process when the supervisor is of another version.
[[nodiscard]] Result<Setup> receive_setup(ipc::Channel& control);

// Reads the channel after its first frame, on a thread of its own, until it ends.
class Control {
 public:
  enum class Order : std::uint8_t {
    kRun,
    // The supervisor said so: finish what is in flight.
    kStop,
    // The channel is closed or broken: nobody waits for what is in flight.
    kLeave,
  };

  // All must outlive it. Modules get frames until this goes.
  Control(ipc::Channel& control, Host& host, const Modules& modules);

  // From now on a ping is answered only when `answers` returns true: it makes a call as a client
  // does. The thread that reads the channel calls it.
  void answer_pings_if(std::function<bool()> answers);
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  ~Control();

  // Waits until the order is another than `present`, at most `limit`.
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
