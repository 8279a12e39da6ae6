// One RPC that waits for a worker.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <mutex>

#include "lvmd/server/call_record.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/worker_client.hpp"

namespace lvmd::server {

// Lives until gRPC is done with it, and deletes itself then. The caller's cancellation or deadline
// ends it at once; the change goes on without it [P-RUN-4].
class ChangeCall final : public grpc::ServerUnaryReactor {
 public:
  // Puts the volume (null after a removal) into the RPC's response.
  using Fill = std::function<void(const model::LogicalVolume*)>;

  // `in_flight` has been begun for this call.
  ChangeCall(CallRecord record, Fill fill, InFlight& in_flight);

  // For WorkerClient::submit. May be called, or destroyed, long after the call has ended.
  [[nodiscard]] WorkerClient::Callback completion();

 private:
  // What the worker's answer and the caller's cancellation compete for: who empties it, answers.
  struct Gate {
    std::mutex mutex;
    ChangeCall* call = nullptr;
  };

  ~ChangeCall() override = default;
  void finish(const ChangeOutcome& outcome);
  void OnCancel() override;
  void OnDone() override;

  const CallRecord record_;
  const Fill fill_;
  InFlight& in_flight_;
  const std::shared_ptr<Gate> gate_;
};

}  // namespace lvmd::server
