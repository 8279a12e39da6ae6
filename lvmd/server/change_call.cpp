#include "lvmd/server/change_call.hpp"

#include <utility>

#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

ChangeCall::ChangeCall(CallRecord record, Fill fill, InFlight& in_flight)
    : record_(std::move(record)),
      fill_(std::move(fill)),
      in_flight_(in_flight),
      gate_(std::make_shared<Gate>()) {
  gate_->call = this;
}

WorkerClient::Callback ChangeCall::completion() {
  return [gate = gate_](const ChangeOutcome& outcome) {
    const std::lock_guard lock{gate->mutex};
    if (ChangeCall* const call = std::exchange(gate->call, nullptr)) call->finish(outcome);
  };
}

void ChangeCall::finish(const ChangeOutcome& outcome) {
  if (!outcome) {
    record_.finish(outcome.error().code, describe(outcome.error()));
    return Finish(to_status(record_.located(outcome.error())));
  }
  fill_(*outcome ? &**outcome : nullptr);
  record_.finish(Code::kOk, "");
  Finish(grpc::Status::OK);
}

void ChangeCall::OnCancel() {
  // Kept here, as OnDone may delete this as soon as Finish was called.
  const std::shared_ptr<Gate> gate = gate_;
  const std::lock_guard lock{gate->mutex};
  if (std::exchange(gate->call, nullptr) == nullptr) return;
  record_.finish(Code::kCancelled, "the caller gave up; the change goes on");
  Finish(grpc::Status::CANCELLED);
}

void ChangeCall::OnDone() {
  in_flight_.end();
  delete this;
}

}  // namespace lvmd::server
