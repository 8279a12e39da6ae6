// One RPC that waits for another process.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "lvmd/base/result.hpp"
#include "lvmd/server/call_record.hpp"
#include "lvmd/server/error_details.hpp"
#include "lvmd/server/in_flight.hpp"

namespace lvmd::server {

// Lives until gRPC is done with it, and deletes itself then. The caller's cancellation or deadline
// ends it at once; what was asked for goes on without it [P-RUN-4, P-MOUNT-14, P-XFER-1].
template <typename Value>
class PendingCall final : public grpc::ServerUnaryReactor {
 public:
  // Puts the other process's answer into the RPC's response.
  using Fill = std::function<void(const Value&)>;

  // `in_flight` has been begun for this call.
  PendingCall(CallRecord record, Fill fill, InFlight& in_flight)
      : record_(std::move(record)),
        fill_(std::move(fill)),
        in_flight_(in_flight),
        gate_(std::make_shared<Gate>()) {
    gate_->call = this;
  }

  // For whoever asks the other process. May be called, or destroyed, long after the call has ended.
  [[nodiscard]] std::function<void(const Result<Value>&)> completion() {
    return [gate = gate_](const Result<Value>& outcome) {
      const std::lock_guard lock{gate->mutex};
      if (PendingCall* const call = std::exchange(gate->call, nullptr)) call->finish(outcome);
    };
  }

 private:
  // What the answer and the caller's cancellation compete for: who empties it, answers.
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
    // Kept here, as OnDone may delete this as soon as Finish was called.
    const std::shared_ptr<Gate> gate = gate_;
    const std::lock_guard lock{gate->mutex};
    if (std::exchange(gate->call, nullptr) == nullptr) return;
    record_.finish(Code::kCancelled, "the caller gave up; the work goes on");
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
