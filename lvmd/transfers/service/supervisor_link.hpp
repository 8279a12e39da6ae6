// The server's requests to the supervisor, which has the privileges to start movers.
#pragma once

#include <functional>
#include <utility>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/ipc/pending_replies.hpp"

namespace lvmd::transfers {

// Thread-safe. Callbacks run without a lock held: on the thread that reads the control channel, or
// on the caller's when the request can't be sent.
class SupervisorLink {
 public:
  using Send = std::function<Status(const internal::ChildEvent&)>;
  using Callback = std::function<void(const Status&)>;

  // `send` sends an event to the supervisor. It must be thread-safe; Unavailable when the
  // supervisor has ended.
  explicit SupervisorLink(Send send) : send_(std::move(send)) {}

  // Sends the request. `done` is called once, with the supervisor's reply. The number is set here.
  // The credentials in the request have been overwritten when this returns.
  void request(internal::TransferRequest request, Callback done);

  void take_reply(const internal::TransferReply& reply);
  // The supervisor has ended: waiting requests fail with Unavailable, and so do later ones.
  void supervisor_lost();

 private:
  const Send send_;
  ipc::PendingReplies<Status> replies_;
};

}  // namespace lvmd::transfers
