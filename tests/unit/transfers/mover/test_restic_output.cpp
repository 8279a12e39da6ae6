#include <catch2/catch.hpp>
#include <string>
#include <variant>
#include <vector>

#include "lvmd/transfers/mover/restic_output.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;

namespace {

const std::string kId(64, 'a');
const std::string kOther(64, 'b');

}  // namespace

TEST_CASE("the status of a backup contains its progress [P-XFER-14]", "[mover]") {
  const auto message = parse_output(
      R"({"message_type":"status","seconds_elapsed":3,"percent_done":0.25,"total_files":8,)"
      R"("files_done":2,"total_bytes":4000,"bytes_done":1000,"current_files":["/volume/a"]})");
  REQUIRE(std::holds_alternative<StatusMessage>(message));
  CHECK(std::get<StatusMessage>(message) == StatusMessage{8, 2, 4000, 1000});
}

TEST_CASE("the progress of a restore includes what existed already", "[mover]") {
  const auto message = parse_output(
      R"({"message_type":"status","percent_done":0.5,"total_files":8,"files_restored":2,)"
      R"("files_skipped":3,"total_bytes":4000,"bytes_restored":1000,"bytes_skipped":500})");
  REQUIRE(std::holds_alternative<StatusMessage>(message));
  CHECK(std::get<StatusMessage>(message) == StatusMessage{8, 5, 4000, 1500});
}

TEST_CASE("the summary of a backup contains the snapshot id", "[mover]") {
  const auto message = parse_output(
      R"({"message_type":"summary","files_new":2,"data_blobs":1,"tree_blobs":2,"data_added":900,)"
      R"("total_files_processed":2,"total_bytes_processed":700,"total_duration":0.4,)"
      R"("snapshot_id":")" +
      kId + R"("})");
  REQUIRE(std::holds_alternative<BackupSummary>(message));
  const auto summary = std::get<BackupSummary>(message);
  CHECK(summary.snapshot_id == kId);
  CHECK(summary.files == 2);
  CHECK(summary.bytes == 700);
}

TEST_CASE("the summary of a backup without a snapshot is ignored", "[mover]") {
  const auto message =
      parse_output(R"({"message_type":"summary","data_blobs":0,"total_files_processed":2})");
  CHECK(std::holds_alternative<std::monostate>(message));
}

TEST_CASE("the summary of a restore contains restored and skipped files", "[mover]") {
  const auto message = parse_output(
      R"({"message_type":"summary","total_files":5,"files_restored":1,"files_skipped":4,)"
      R"("total_bytes":900,"bytes_restored":100,"bytes_skipped":800})");
  REQUIRE(std::holds_alternative<RestoreSummary>(message));
  const auto summary = std::get<RestoreSummary>(message);
  CHECK(summary.restored_bytes == 100);
  CHECK(summary.skipped_bytes == 800);
  CHECK(summary.skipped_files == 4);
}

TEST_CASE("unknown messages are ignored", "[mover]") {
  for (const char* const line :
       {"", "text", "[]", "null", "3", "{}", R"({"message_type":"verbose_status","action":"new"})",
        R"({"message_type":"new in 0.99"})", R"({"message_type":7})"})
    CHECK(std::holds_alternative<std::monostate>(parse_output(line)));
  const auto message = parse_output(R"({"message_type":"status","total_bytes":"many"})");
  REQUIRE(std::holds_alternative<StatusMessage>(message));
  CHECK(std::get<StatusMessage>(message).total_bytes == 0);
}

TEST_CASE("errors become texts that contain the file", "[mover]") {
  const ErrorLine file = parse_error_line(
      R"({"message_type":"error","error":{"message":"read /volume/a: input/output error"},)"
      R"("during":"archival","item":"/volume/a"})");
  CHECK(file.about_file);
  CHECK(file.text == "read /volume/a: input/output error");
  const ErrorLine other = parse_error_line(
      R"({"message_type":"error","error":{"message":"permission denied"},"during":"restore",)"
      R"("item":"/b"})");
  CHECK(other.text == "/b: permission denied");
  CHECK(parse_error_line(R"({"message_type":"exit_error","code":12,"message":"Fatal: wrong"})")
            .text == "Fatal: wrong");
  CHECK(parse_error_line(R"({"message_type":"error","message":"Pack ID does not match"})").text ==
        "Pack ID does not match");
  CHECK(parse_error_line("Load(<key/1>, 0, 0) failed: EOF").text ==
        "Load(<key/1>, 0, 0) failed: EOF");
}

TEST_CASE("snapshots are parsed with id, time and tags", "[mover]") {
  const auto snapshots = parse_snapshots(R"([{"time":"2026-01-02T03:04:05Z","tree":"x",)"
                                         R"("paths":["/volume"],"tags":["lvmd.v1","t"],"id":")" +
                                         kId + R"(","short_id":"aaaaaaaa"}])");
  REQUIRE(snapshots);
  REQUIRE(snapshots->size() == 1);
  CHECK(snapshots->front().id == kId);
  CHECK(snapshots->front().tags == std::vector<std::string>{"lvmd.v1", "t"});
  CHECK(parse_snapshots("[]")->empty());
  CHECK(parse_snapshots("null\n")->empty());
  CHECK_FALSE(parse_snapshots(""));
  CHECK_FALSE(parse_snapshots("{}"));
  CHECK_FALSE(parse_snapshots(R"([{"id":"latest"}])"));
  CHECK(parse_snapshot(R"({"time":"x","tags":null})")->tags.empty());
  CHECK_FALSE(parse_snapshot("nonsense"));
}

TEST_CASE("locks are parsed with host and pid", "[mover]") {
  const auto lock = parse_lock(
      R"({"time":"2026-01-02T03:04:05Z","exclusive":false,"hostname":"node1","pid":4711})");
  REQUIRE(lock);
  CHECK(lock->hostname == "node1");
  CHECK(lock->pid == 4711);
  CHECK_FALSE(parse_lock("nonsense"));
  CHECK(parse_ids(kId + "\nnonsense\n" + kOther + "\n") == std::vector<std::string>{kId, kOther});
  CHECK(parse_ids("").empty());
}
