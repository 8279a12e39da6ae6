// The control channel: what the supervisor tells the server.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/server/backend.hpp"
#include "lvmd/server/supervisor_link.hpp"
#include "lvmd/server/transfers.hpp"

namespace lvmd::server {

// The first frame of the channel.
struct Setup {
  model::ClassCatalog catalog;
  std::vector<std::string> volume_groups;
  // By volume group.
  std::map<std::string, std::vector<std::string>> hidden;
  std::vector<gid_t> full_groups;
  std::vector<gid_t> read_only_groups;
  std::string socket_path;
  std::string read_only_socket_path;
  UniqueFd full_socket;
  UniqueFd read_only_socket;
  // None when metrics are not served.
  UniqueFd metrics_socket;
  // By child.
  std::map<std::string, std::uint64_t> restarts;
  std::vector<std::string> mount_roots;
  internal::TransferSetup transfers;
};

[[nodiscard]] Result<Setup> receive_setup(ipc::Channel& control);

// Reads the channel after its first frame, on a thread of its own, until it ends.
class Control {
 public:
  enum class Wish : std::uint8_t {
    kRun,
    // The supervisor said so: finish what is in flight.
    kStop,
    // The supervisor is gone or mad: there is nobody to work for.
    kLeave,
  };

  // All must outlive it. The link is the supervisor's until this goes.
  Control(ipc::Channel& control, Backend& backend, SupervisorLink& link, Transfers& transfers);

  // From now on a ping is answered only when `answers` says true: it makes a call as a client does.
  // It is called on the thread that reads the channel.
  void answer_pings_if(std::function<bool()> answers);
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  ~Control();

  // Waits until the wish is another than `present`, at most `limit`.
  [[nodiscard]] Wish wait(Wish present, std::chrono::milliseconds limit);

  // Unavailable when the supervisor is gone. Thread-safe.
  [[nodiscard]] Status tell(const internal::ChildEvent& event);

 private:
  void read_frames();
  [[nodiscard]] Status answer_ping(const internal::Ping& ping);
  [[nodiscard]] Status handle(ipc::Channel::Received<internal::ControlFrame> frame);
  [[nodiscard]] Status reconfigure(const internal::Configuration& configuration);
  void set(Wish wish);

  ipc::Channel& control_;
  std::mutex send_mutex_;
  Backend& backend_;
  SupervisorLink& link_;
  Transfers& transfers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<bool()> answers_;
  Wish wish_ = Wish::kRun;
  std::thread reader_;
};

}  // namespace lvmd::server
