// How transfers start, join, are refused and end. The cases show a mover's work by its record only.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "lvmd/transfers/record/record_files.hpp"
#include "tests/rpc/transfer_stage.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

template <typename Answer>
void check_refused(const Answer& answer, Code code, std::string_view reason,
                   std::string_view text) {
  INFO(answer.message);
  CHECK(answer.code == code);
  CHECK(answer.reason == reason);
  CHECK(answer.says(text));
}

}  // namespace

TEST_CASE("a backup is answered when its mover has been started [P-XFER-1]", "[rpc]") {
  const TransferStage stage;
  Client client{stage.node->socket()};
  const auto begun = client.start_backup(backup_request());
  REQUIRE(begun.ok());
  CHECK(begun.response.phase() == v1::PHASE_PENDING);
  CHECK(begun.response.volume_group() == "vg_thick");
  CHECK(begun.response.name() == "snap");
  CHECK(begun.response.repository() == "s3:https://storage.example/bucket");
  CHECK(begun.response.attempt() == 1);
  const auto requests = stage.node->movers().requests();
  REQUIRE(requests.size() == 1);
  const internal::MoverJob& job = requests[0].start();
  CHECK(job.operation() == v1::OPERATION_BACKUP);
  CHECK(job.device().major() == 253);
  CHECK(job.device().minor() != 0);
  CHECK(job.device().snapshot());
  CHECK_FALSE(job.device().writable());
  CHECK(job.credentials().secret_access_key() == kSecret);
  CHECK_FALSE(job.has_settings());
}

TEST_CASE("restores and deletions are started in the same way [P-XFER-1]", "[rpc]") {
  TransferStage stage;
  const auto restore = stage.client.start_restore(restore_request());
  REQUIRE(restore.ok());
  CHECK(restore.response.operation() == v1::OPERATION_RESTORE);
  const auto deletion = stage.client.delete_backup(delete_request());
  REQUIRE(deletion.ok());
  CHECK(deletion.response.operation() == v1::OPERATION_DELETE);
  const auto listed = stage.client.transfers();
  REQUIRE(listed.ok());
  REQUIRE(listed.response.transfers_size() == 2);
  CHECK(listed.response.transfers(0).id() == "r");
  CHECK(listed.response.transfers(1).id() == "d");
}

TEST_CASE(
    "invalid arguments are refused with field and reason, before anything runs [P-XFER-1, "
    "P-XFER-18]",
    "[rpc]") {
  TransferStage stage;
  auto request = backup_request(".b");
  check_refused(stage.client.start_backup(request), Code::kInvalidArgument, "INVALID_NAME", "id");
  request = backup_request("b", "a/b");
  check_refused(stage.client.start_backup(request), Code::kInvalidArgument, "INVALID_NAME", "a/b");
  request = backup_request();
  request.set_device_class("none");
  check_refused(stage.client.start_backup(request), Code::kNotFound, "UNKNOWN_DEVICE_CLASS",
                "none");
  request = backup_request();
  request.mutable_repository()->set_location("rest:https://user:word@storage.example/");
  check_refused(stage.client.start_backup(request), Code::kInvalidArgument, "INVALID_TRANSFER",
                "repository.location");
  request.mutable_repository()->set_location("/etc");
  check_refused(stage.client.start_backup(request), Code::kInvalidArgument, "INVALID_TRANSFER",
                "/srv/repositories");
  request = backup_request();
  request.clear_credentials();
  check_refused(stage.client.start_backup(request), Code::kInvalidArgument, "INVALID_TRANSFER",
                "credentials.password");
  request = backup_request();
  request.set_mode(static_cast<v1::Mode>(9));
  check_refused(stage.client.start_backup(request), Code::kInvalidArgument, "INVALID_TRANSFER",
                "mode");
  auto restore = restore_request();
  restore.clear_backup_id();
  check_refused(stage.client.start_restore(restore), Code::kInvalidArgument, "INVALID_TRANSFER",
                "snapshot_id");
  check_refused(stage.client.transfer(name_of(v1::OPERATION_UNSPECIFIED, "b")),
                Code::kInvalidArgument, "INVALID_NAME", "operation");
  const auto watched =
      stage.client.watch_transfer(name_of(v1::OPERATION_BACKUP, ".b"))->end(kLimit);
  REQUIRE(watched);
  check_refused(*watched, Code::kInvalidArgument, "INVALID_NAME", ".b");
  CHECK(stage.node->movers().requests().empty());
}

TEST_CASE("a volume that can't be backed up or restored to is refused [P-XFER-7]", "[rpc]") {
  TransferStage stage;
  check_refused(stage.client.start_backup(backup_request("b", "missing")), Code::kNotFound,
                "VOLUME_NOT_FOUND", "missing");
  check_refused(stage.client.start_backup(backup_request("b", "source")), Code::kFailedPrecondition,
                "VOLUME_WRITABLE", "create a read-only snapshot");
  check_refused(stage.client.start_restore(restore_request("r", "snap")), Code::kFailedPrecondition,
                "VOLUME_READ_ONLY", "read-only");
  CHECK(stage.node->movers().requests().empty());
}

TEST_CASE("a repeated request gets the same transfer, running or succeeded [P-XFER-1]", "[rpc]") {
  TransferStage stage;
  stage.run_backup();
  const auto running = stage.client.start_backup(backup_request());
  REQUIRE(running.ok());
  CHECK(running.response.phase() == v1::PHASE_RUNNING);
  stage.end(kBackup, v1::PHASE_SUCCEEDED);
  // The snapshot may have been removed by then, and credentials may differ.
  REQUIRE(stage.client.remove(remove_request("thin", "snap")).ok());
  auto request = backup_request();
  request.mutable_credentials()->set_password("another");
  const auto succeeded = stage.client.start_backup(request);
  REQUIRE(succeeded.ok());
  CHECK(succeeded.response.phase() == v1::PHASE_SUCCEEDED);
  CHECK(stage.node->movers().requests().size() == 1);
}

TEST_CASE(
    "another request under the same name is ALREADY_EXISTS while it runs or after it "
    "succeeded [P-XFER-1]",
    "[rpc]") {
  TransferStage stage;
  REQUIRE(stage.client.start_backup(backup_request()).ok());
  auto other = backup_request();
  other.set_verify(true);
  check_refused(stage.client.start_backup(other), Code::kAlreadyExists, "TRANSFER_DIFFERS",
                "\"b\"");
  stage.end(kBackup, v1::PHASE_SUCCEEDED);
  check_refused(stage.client.start_backup(other), Code::kAlreadyExists, "TRANSFER_DIFFERS",
                "use another id");
  // The same id of another operation is another transfer.
  CHECK(stage.client.start_restore(restore_request("b")).ok());
}

TEST_CASE("after FAILED or CANCELLED a transfer starts again as another attempt [P-XFER-1]",
          "[rpc]") {
  TransferStage stage;
  REQUIRE(stage.client.start_backup(backup_request()).ok());
  stage.end(kBackup, v1::PHASE_FAILED);
  auto other = backup_request();
  other.set_verify(true);
  const auto again = stage.client.start_backup(other);
  REQUIRE(again.ok());
  CHECK(again.response.phase() == v1::PHASE_PENDING);
  CHECK(again.response.attempt() == 2);
  CHECK_FALSE(again.response.has_error());
}

TEST_CASE("identical concurrent requests are one transfer, a different one is refused [P-XFER-1]",
          "[rpc]") {
  TransferStage stage;
  Client second{stage.node->socket()};
  auto one = stage.hold_backup();
  auto other = begin([&] { return second.start_backup(backup_request()); });
  auto different = backup_request();
  different.set_verify(true);
  check_refused(Client{stage.node->socket()}.start_backup(different), Code::kAlreadyExists,
                "TRANSFER_DIFFERS", "\"b\"");
  stage.node->movers().release();
  CHECK(one.get().ok());
  CHECK(other.get().ok());
  CHECK(stage.node->movers().requests().size() == 1);
}

TEST_CASE("a check has no volume, and its arguments are checked [P-XFER-20]", "[rpc]") {
  TransferStage stage;
  const auto begun = stage.client.start_check(check_request());
  REQUIRE(begun.ok());
  CHECK(begun.response.operation() == v1::OPERATION_CHECK);
  CHECK(begun.response.repository() == "/srv/repositories/a");
  CHECK(begun.response.name().empty());
  const auto requests = stage.node->movers().requests();
  REQUIRE(requests.size() == 1);
  CHECK_FALSE(requests[0].start().has_device());
  auto wrong = check_request("wrong");
  wrong.mutable_repository()->set_location("/etc");
  check_refused(stage.client.start_check(wrong), Code::kInvalidArgument, "INVALID_TRANSFER",
                "/srv/repositories");
  wrong = check_request("-c");
  check_refused(stage.client.start_check(wrong), Code::kInvalidArgument, "INVALID_NAME", "id");
  CHECK(stage.node->movers().requests().size() == 1);
}

TEST_CASE("a check that has succeeded is started again, one that runs is joined [P-XFER-20]",
          "[rpc]") {
  TransferStage stage;
  const v1::TransferName check = name_of(v1::OPERATION_CHECK, "c");
  REQUIRE(stage.client.start_check(check_request()).ok());
  REQUIRE(stage.node->movers().run(key_of(check)));
  CHECK(stage.client.start_check(check_request()).response.phase() == v1::PHASE_RUNNING);
  auto other = check_request();
  other.mutable_repository()->set_location("/srv/repositories/b");
  check_refused(stage.client.start_check(other), Code::kAlreadyExists, "TRANSFER_DIFFERS", "\"c\"");
  CHECK(stage.node->movers().requests().size() == 1);
  stage.end(check, v1::PHASE_SUCCEEDED);
  const auto again = stage.client.start_check(other);
  REQUIRE(again.ok());
  CHECK(again.response.phase() == v1::PHASE_PENDING);
  CHECK(again.response.attempt() == 2);
  CHECK(again.response.repository() == "/srv/repositories/b");
}

TEST_CASE("a transfer above max-running is refused, and starts nothing [P-XFER-16]", "[rpc]") {
  TransferStage stage;
  REQUIRE(stage.client.start_backup(backup_request("one")).ok());
  REQUIRE(stage.client.start_backup(backup_request("two")).ok());
  check_refused(stage.client.start_backup(backup_request("three")), Code::kResourceExhausted,
                "TOO_MANY_TRANSFERS", "max-running");
  CHECK(stage.client.transfer(name_of(v1::OPERATION_BACKUP, "three")).code == Code::kNotFound);
  stage.end(name_of(v1::OPERATION_BACKUP, "one"), v1::PHASE_SUCCEEDED);
  CHECK(eventually([&] { return stage.client.start_backup(backup_request("three")).ok(); }));
}

TEST_CASE("an error of the supervisor that starts a mover is the answer [P-XFER-1]", "[rpc]") {
  TransferStage stage;
  stage.node->movers().refuse_with(
      make_error(Code::kUnavailable, "the mover was not started").because("MOVER_NOT_STARTED"));
  check_refused(stage.client.start_backup(backup_request()), Code::kUnavailable,
                "MOVER_NOT_STARTED", "was not started");
  stage.node->movers().refuse_with(std::nullopt);
  CHECK(stage.client.start_backup(backup_request()).ok());
}

TEST_CASE(
    "without a suitable restic nothing is started, and the message says what to do [P-XFER-17]",
    "[rpc]") {
  TransferStage stage{start_node_with_restic("/usr/bin/restic is restic 0.14.0, get one")};
  check_refused(stage.client.start_backup(backup_request()), Code::kFailedPrecondition,
                "RESTIC_UNUSABLE", "restic 0.14.0, get one");
  check_refused(stage.client.delete_backup(delete_request()), Code::kFailedPrecondition,
                "RESTIC_UNUSABLE", "restic 0.14.0");
  CHECK(stage.node->movers().requests().empty());
}

TEST_CASE("until restic's version is known, a start is UNAVAILABLE [P-XFER-17]", "[rpc]") {
  TransferStage stage{start_node_with_restic(std::nullopt)};
  check_refused(stage.client.start_backup(backup_request()), Code::kUnavailable, "RESTIC_UNUSABLE",
                "try again");
  REQUIRE(stage.node->send_restic(""));
  CHECK(eventually([&] { return stage.client.start_backup(backup_request()).ok(); }));
}

TEST_CASE("a cancelled transfer is CANCELLED; an ended one does not change [P-XFER-15]", "[rpc]") {
  TransferStage stage;
  stage.run_backup();
  const auto cancelled = stage.client.cancel_transfer(kBackup);
  REQUIRE(cancelled.ok());
  CHECK(cancelled.response.phase() == v1::PHASE_CANCELLED);
  CHECK(stage.node->movers().requests().size() == 2);
  CHECK(stage.client.cancel_transfer(kBackup).response.phase() == v1::PHASE_CANCELLED);
  CHECK(stage.node->movers().requests().size() == 2);
}

TEST_CASE("an unknown transfer is NOT_FOUND, and the error names it [P-XFER-2]", "[rpc]") {
  TransferStage stage;
  check_refused(stage.client.transfer(kBackup), Code::kNotFound, "TRANSFER_NOT_FOUND", "\"b\"");
  check_refused(stage.client.cancel_transfer(kBackup), Code::kNotFound, "TRANSFER_NOT_FOUND",
                "\"b\"");
  const auto end = stage.client.watch_transfer(kBackup)->end(kLimit);
  REQUIRE(end);
  check_refused(*end, Code::kNotFound, "TRANSFER_NOT_FOUND", "\"b\"");
}

TEST_CASE("TransferService is on the full socket only, and reflection describes it", "[rpc]") {
  const TransferStage stage;
  Client reader{stage.node->read_only_socket()};
  CHECK(reader.transfers().code == Code::kUnimplemented);
  CHECK(reader.start_backup(backup_request()).code == Code::kUnimplemented);
  Client client{stage.node->socket()};
  CHECK(client.reflection_describes("lvmd.v1.TransferService"));
  const std::string name = "lvmd.v1.TransferService";
  CHECK(std::ranges::count(client.reflected_services().response, name) == 1);
  CHECK(std::ranges::count(reader.reflected_services().response, name) == 0);
}

TEST_CASE("no credential is in the log, an answer or a file [P-XFER-5]", "[rpc]") {
  TransferStage stage;
  std::string answers;
  const auto keep = [&answers](const auto& answer) {
    answers += answer.message + answer.response.SerializeAsString();
  };
  keep(stage.client.start_backup(backup_request()));
  keep(stage.client.start_backup(backup_request("b", "source")));
  auto wrong = backup_request("wrong");
  wrong.mutable_repository()->set_location("rest:https://u:" + std::string{kSecret} + "@host/");
  keep(stage.client.start_backup(wrong));
  wrong = backup_request("wrong");
  wrong.mutable_credentials()->set_rest_password(std::string{kSecret} + "\n");
  keep(stage.client.start_backup(wrong));
  stage.node->movers().refuse_with(make_error(Code::kUnavailable, "no"));
  keep(stage.client.start_restore(restore_request()));
  keep(stage.client.transfers());
  CHECK(answers.find("storage.example") != std::string::npos);
  CHECK(answers.find(kSecret) == std::string::npos);
  const std::string log = stage.node->log();
  CHECK(log.find("StartBackup vg_thick/snap (backup b)") != std::string::npos);
  CHECK(log.find(kSecret) == std::string::npos);
  std::ostringstream records;
  records << std::ifstream{stage.node->movers().directory() + "/backup-b"}.rdbuf();
  CHECK(records.str().find("snap") != std::string::npos);
  CHECK(records.str().find(kSecret) == std::string::npos);
}
