// What the server offers to its modules.
#pragma once

#include <mutex>
#include <string_view>

#include "internal/control.pb.h"
#include "lvmd/base/log.hpp"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/server/call_record.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/server/peer_table.hpp"
#include "lvmd/server/rpc.hpp"

namespace lvmd::server {

// Thread-safe.
class Host {
 public:
  // `supervisor` is the control channel. Both must outlive the host.
  Host(ipc::Channel& supervisor, const PeerTable& peers) : supervisor_(supervisor), peers_(peers) {}
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() = default;

  // The record of a call that begins now. `method` is a literal; `success` is the log priority of a
  // call that succeeds.
  [[nodiscard]] CallRecord record(std::string_view method, const Context& context,
                                  log::Priority success);

  // Counts one more call that waits for another process. The PendingCall of the call ends the
  // count. Unavailable when lvmd stops.
  [[nodiscard]] Status begin_call();
  [[nodiscard]] InFlight& calls() { return calls_; }
  // The open streams.
  [[nodiscard]] InFlight& streams() { return streams_; }
  [[nodiscard]] Metrics& metrics() { return metrics_; }

  // Sends an event to the supervisor. Unavailable when the supervisor has ended.
  [[nodiscard]] Status send(const internal::ChildEvent& event);

 private:
  ipc::Channel& supervisor_;
  std::mutex send_mutex_;
  const PeerTable& peers_;
  Metrics metrics_;
  InFlight calls_;
  InFlight streams_;
};

}  // namespace lvmd::server
