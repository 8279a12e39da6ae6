// Watch for a transfer while it runs, and when its mover has died.
#include <catch2/catch.hpp>
#include <chrono>

#include "tests/rpc/transfer_stage.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

// The first message for which the condition holds.
template <typename Condition>
std::optional<v1::Transfer> first(Stream<v1::Transfer>& stream, const Condition& condition) {
  while (auto message = stream.next(kLimit))
    if (condition(*message)) return message;
  return std::nullopt;
}

auto is_in(v1::Phase phase) {
  return [phase](const v1::Transfer& transfer) { return transfer.phase() == phase; };
}

}  // namespace

TEST_CASE(
    "Watch sends the current transfer, its progress and its end, and ends with OK [P-XFER-14]",
    "[rpc]") {
  TransferStage stage;
  stage.run_backup();
  const auto watch = stage.client.watch_transfer(kBackup);
  const auto running = first(*watch, is_in(v1::PHASE_RUNNING));
  REQUIRE(running);
  CHECK(running->name() == "snap");
  REQUIRE(stage.node->movers().write(key_of(kBackup), [](v1::Transfer& transfer) {
    transfer.mutable_progress()->set_done_bytes(4096);
  }));
  REQUIRE(
      first(*watch, [](const auto& transfer) { return transfer.progress().done_bytes() == 4096; }));
  stage.end(kBackup, v1::PHASE_SUCCEEDED);
  const auto last = first(*watch, is_in(v1::PHASE_SUCCEEDED));
  REQUIRE(last);
  CHECK(last->snapshot_id() == "0123abcd");
  const auto end = watch->end(kLimit);
  REQUIRE(end);
  CHECK(end->ok());
}

TEST_CASE("an ended transfer is sent once, and the stream ends [P-XFER-14]", "[rpc]") {
  TransferStage stage;
  stage.run_backup();
  stage.end(kBackup, v1::PHASE_SUCCEEDED);
  const auto watch = stage.client.watch_transfer(kBackup);
  const auto sent = watch->next(kLimit);
  REQUIRE(sent);
  CHECK(sent->phase() == v1::PHASE_SUCCEEDED);
  REQUIRE(watch->end(kLimit));
  CHECK(watch->end(kLimit)->ok());
  CHECK_FALSE(watch->next(0s));
}

TEST_CASE(
    "a transfer whose mover dies is FAILED, Interrupted, within 2 s, and can be started again "
    "[P-XFER-3]",
    "[rpc]") {
  TransferStage stage;
  stage.run_backup();
  const auto watch = stage.client.watch_transfer(kBackup);
  REQUIRE(watch->next(kLimit));
  const auto death = std::chrono::steady_clock::now();
  stage.node->movers().kill(key_of(kBackup));
  const auto failed = first(*watch, is_in(v1::PHASE_FAILED));
  CHECK(std::chrono::steady_clock::now() - death < 2s);
  REQUIRE(failed);
  CHECK(failed->error().reason() == "Interrupted");
  CHECK(failed->error().transient());
  REQUIRE(watch->end(kLimit));
  CHECK(stage.client.transfer(kBackup).response.error().reason() == "Interrupted");
  const auto again = stage.client.start_backup(backup_request());
  REQUIRE(again.ok());
  CHECK(again.response.attempt() == 2);
}

TEST_CASE(
    "a stream ends with UNAVAILABLE when lvmd stops, and the transfer continues [P-STOP-2, "
    "P-XFER-3]",
    "[rpc]") {
  TransferStage stage;
  stage.run_backup();
  const auto watch = stage.client.watch_transfer(kBackup);
  REQUIRE(watch->next(kLimit));
  REQUIRE(stage.node->send_stop());
  CHECK(stage.node->wait_for_exit(2s) == 0);
  const auto end = watch->end(kLimit);
  REQUIRE(end);
  CHECK(end->code == Code::kUnavailable);
  CHECK(stage.node->movers().requests().size() == 1);
}

TEST_CASE("a start that waits for the supervisor is answered before the server ends [P-STOP-2]",
          "[rpc]") {
  TransferStage stage;
  auto begun = stage.hold_backup();
  REQUIRE(stage.node->send_stop());
  CHECK_FALSE(stage.node->wait_for_exit(100ms));
  stage.node->movers().release();
  CHECK(begun.get().ok());
  CHECK(stage.node->wait_for_exit(2s) == 0);
}

TEST_CASE("a supervisor that dies ends a start that waits for it", "[rpc]") {
  TransferStage stage;
  auto begun = stage.hold_backup();
  stage.node->close_control_channel();
  CHECK_FALSE(begun.get().ok());
  CHECK(stage.node->wait_for_exit(5s) == 0);
}
