// One RPC that waits for the supervisor to begin or end a transfer.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <mutex>

#include "lvmd/server/call_record.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/transfers.hpp"

namespace lvmd::server {

// Lives until gRPC is done with it, and deletes itself then. The caller's cancellation or deadline
// ends it at once; the transfer goes on without it.
class TransferCall final : public grpc::ServerUnaryReactor {
 public:
  // `in_flight` has been begun for this call. The transfer is put into `response`.
  TransferCall(CallRecord record, v1::Transfer& response, InFlight& in_flight);

  // May be called, or destroyed, long after the call has ended.
  [[nodiscard]] Transfers::Callback completion();

 private:
  // What the answer and the caller's cancellation compete for: who empties it, answers.
  struct Gate {
    std::mutex mutex;
    TransferCall* call = nullptr;
  };

  ~TransferCall() override = default;
  void finish(const Transfers::Outcome& outcome);
  void OnCancel() override;
  void OnDone() override;

  const CallRecord record_;
  v1::Transfer& response_;
  InFlight& in_flight_;
  const std::shared_ptr<Gate> gate_;
};

}  // namespace lvmd::server
