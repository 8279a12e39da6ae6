// One RPC that waits for another process.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "lvmd/base/result.hpp"
#include "lvmd/server/call_record.hpp"
#include "lvmd/server/error_details.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/rpc.hpp"

namespace lvmd::server {

// Deletes itself when gRPC has finished the call. The caller's cancellation or deadline ends the
// call at once; the requested operation continues [P-RUN-4, P-MOUNT-14, P-XFER-1].
template <typename Value>
class PendingCall final : public UnaryReactor {
 public:
  // Copies the other process's answer into the RPC's response.
  using Fill = std::function<void(const Value&)>;

  // `in_flight.begin()` has been called for this call.
  PendingCall(CallRecord record, Fill fill, InFlight& in_flight)
      : record_(std::move(record)),
        fill_(std::move(fill)),
        in_flight_(in_flight),
        gate_(std::make_shared<Gate>()) {
    gate_->call = this;
  }

  // The callback for the other process's answer. It may be called or destroyed long after the call
  // has ended.
  [[nodiscard]] std::function<void(const Result<Value>&)> completion() {
    return [gate = gate_](const Result<Value>& outcome) {
      const std::lock_guard lock{gate->mutex};
      if (PendingCall* const call = std::exchange(gate->call, nullptr)) call->finish(outcome);
    };
  }

 private:
  // The answer and the caller's cancellation compete for it: the one that empties it answers the
  // call.
  struct Gate {
    std::mutex mutex;
    PendingCall* call = nullptr;
  };

  ~PendingCall() override = default;

  void finish(const Result<Value>& outcome) {
    if (!outcome) {
      record_.finish(outcome.error().code, describe(outcome.error()));
      return Finish(to_status(record_.located(outcome.error())));
    }
    fill_(*outcome);
    record_.finish(Code::kOk, "");
    Finish(grpc::Status::OK);
  }

  void OnCancel() override {
    // A copy, because OnDone() may delete this object as soon as Finish() was called.
    const std::shared_ptr<Gate> gate = gate_;
    const std::lock_guard lock{gate->mutex};
    if (std::exchange(gate->call, nullptr) == nullptr) return;
    record_.finish(Code::kCancelled, "the caller cancelled the call; the operation continues");
    Finish(grpc::Status::CANCELLED);
  }

  void OnDone() override {
    in_flight_.end();
    delete this;
  }

  const CallRecord record_;
  const Fill fill_;
  InFlight& in_flight_;
  const std::shared_ptr<Gate> gate_;
};

}  // namespace lvmd::server
