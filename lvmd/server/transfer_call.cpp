#include "lvmd/server/transfer_call.hpp"

#include <utility>

#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

TransferCall::TransferCall(CallRecord record, v1::Transfer& response, InFlight& in_flight)
    : record_(std::move(record)),
      response_(response),
      in_flight_(in_flight),
      gate_(std::make_shared<Gate>()) {
  gate_->call = this;
}

Transfers::Callback TransferCall::completion() {
  return [gate = gate_](const Transfers::Outcome& outcome) {
    const std::lock_guard lock{gate->mutex};
    if (TransferCall* const call = std::exchange(gate->call, nullptr)) call->finish(outcome);
  };
}

void TransferCall::finish(const Transfers::Outcome& outcome) {
  if (!outcome) {
    record_.finish(outcome.error().code, describe(outcome.error()));
    return Finish(to_status(record_.located(outcome.error())));
  }
  response_ = *outcome;
  record_.finish(Code::kOk, "");
  Finish(grpc::Status::OK);
}

void TransferCall::OnCancel() {
  // Kept here, as OnDone may delete this as soon as Finish was called.
  const std::shared_ptr<Gate> gate = gate_;
  const std::lock_guard lock{gate->mutex};
  if (std::exchange(gate->call, nullptr) == nullptr) return;
  record_.finish(Code::kCancelled, "the caller gave up; the transfer goes on");
  Finish(grpc::Status::CANCELLED);
}

void TransferCall::OnDone() {
  in_flight_.end();
  delete this;
}

}  // namespace lvmd::server
