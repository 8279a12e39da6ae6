// What the server asks of the supervisor, which has the privileges: movers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::server {

// Thread-safe. Callbacks run without a lock held: on the thread that reads the control channel, or
// on the caller's when the supervisor can't be asked.
class SupervisorLink {
 public:
  using Send = std::function<Status(const internal::ChildEvent&)>;
  using Callback = std::function<void(const Status&)>;

  SupervisorLink();

  // Before the first question.
  void connect(Send send);

  // `done` is called exactly once. The request needs no number; its credentials have been
  // overwritten when this returns.
  void ask(internal::TransferRequest request, Callback done);

  void answered(const internal::TransferReply& reply);
  // The supervisor is gone: what is open has failed with Unavailable, and so does what comes later.
  void lost();

 private:
  // Null when nobody waits for that number any more.
  [[nodiscard]] Callback take(std::uint64_t number);

  // Held while something is sent: never while an answer is waited for.
  std::mutex send_mutex_;
  Send send_;
  // Guards the rest.
  std::mutex mutex_;
  // From one server to the next, no number comes again.
  std::uint64_t last_number_;
  std::map<std::uint64_t, Callback> open_;
};

}  // namespace lvmd::server
