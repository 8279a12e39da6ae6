// A node with volumes whose transfers proceed as the case decides.
#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "lvmd/transfers/record/record.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"
#include "tests/rpc/transfer_requests.hpp"

namespace lvmd::rpc {

class TransferStage {
 public:
  // With a thin volume "source" and its read-only snapshot "snap".
  explicit TransferStage(std::unique_ptr<fakes::FakeNode> started = start_node())
      : node(std::move(started)), client(node->socket()) {
    REQUIRE(client.create(contract::create_request("thin", "source", contract::kExtent)).ok());
    REQUIRE(client.snapshot(contract::snapshot_request("thin", "snap", "source", "ro")).ok());
  }

  // kBackup is requested and runs.
  void run_backup() {
    REQUIRE(client.start_backup(backup_request()).ok());
    REQUIRE(node->movers().run(key_of(kBackup)));
  }

  // kBackup is requested in the background; the supervisor has received it, and does not answer.
  [[nodiscard]] auto hold_backup() {
    node->movers().hold();
    auto begun = begin([this] { return client.start_backup(backup_request()); });
    REQUIRE(node->movers().wait_for_requests(1, kLimit));
    return begun;
  }

  // The transfer's mover ends with this record.
  void end(const v1::TransferName& name, v1::Phase phase) const {
    REQUIRE(node->movers().write(key_of(name), [phase](v1::Transfer& transfer) {
      transfer.set_phase(phase);
      *transfer.mutable_completion_time() =
          transfers::to_timestamp(std::chrono::system_clock::now());
      if (phase == v1::PHASE_SUCCEEDED) transfer.set_snapshot_id("0123abcd");
      if (phase == v1::PHASE_FAILED) transfer.mutable_error()->set_code("VerificationFailed");
    }));
  }

  std::unique_ptr<fakes::FakeNode> node;
  contract::Client client;
};

}  // namespace lvmd::rpc
