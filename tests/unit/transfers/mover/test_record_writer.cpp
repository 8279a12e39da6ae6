#include <catch2/catch.hpp>

#include "lvmd/transfers/mover/record_writer.hpp"
#include "lvmd/transfers/record/record_files.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;
using lvmd::supervisor::ScratchDirectory;

namespace {

const transfers::TransferKey kWritten{.operation = v1::OPERATION_BACKUP, .id = "a"};

struct World {
  World() { job.mutable_settings()->set_record_directory(directory.file("")); }

  [[nodiscard]] v1::Transfer seen() const {
    auto record = transfers::read_record(directory.file(""), kWritten);
    REQUIRE(record);
    return record->transfer();
  }

  ScratchDirectory directory;
  internal::MoverJob job = transfers::sample_job();
};

}  // namespace

TEST_CASE("the record of a running mover is RUNNING, and its lock is held [P-XFER-3]", "[mover]") {
  const World world;
  {
    auto record = RecordWriter::begin(world.job);
    REQUIRE(record);
    CHECK(world.seen().phase() == v1::PHASE_RUNNING);
    CHECK(transfers::is_locked(world.directory.file(""), kWritten) == true);
    const auto second = RecordWriter::begin(world.job);
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Code::kFailedPrecondition);
    record->step("copying");
    CHECK(world.seen().step() == "copying");
    record->transfer().set_snapshot_id("abc");
    REQUIRE(record->succeed());
  }
  CHECK(transfers::is_locked(world.directory.file(""), kWritten) == false);
  CHECK(world.seen().phase() == v1::PHASE_SUCCEEDED);
  CHECK(world.seen().snapshot_id() == "abc");
  CHECK(world.seen().has_completion_time());
}

TEST_CASE("the record of a failure has an error, that of a cancellation has none [P-XFER-15]",
          "[mover]") {
  const World world;
  {
    auto record = RecordWriter::begin(world.job);
    REQUIRE(record);
    REQUIRE(record->end({.error = transfer_error(code::kBackup, cause::kStalled, "m", true)}));
    CHECK(world.seen().phase() == v1::PHASE_FAILED);
    CHECK(world.seen().error().reason() == "Stalled");
  }
  auto record = RecordWriter::begin(world.job);
  REQUIRE(record);
  CHECK_FALSE(world.seen().has_error());
  REQUIRE(record->end({.cancelled = true, .error = {}}));
  CHECK(world.seen().phase() == v1::PHASE_CANCELLED);
  CHECK_FALSE(world.seen().has_error());
}

TEST_CASE("only changed counters count as progress [P-XFER-14]", "[mover]") {
  const World world;
  auto record = RecordWriter::begin(world.job);
  REQUIRE(record);
  record->step("copying");
  const auto before = record->last_movement();
  record->tick();
  CHECK(record->last_movement() == before);
  record->transfer().mutable_progress()->set_done_bytes(5);
  record->tick();
  CHECK(record->last_movement() > before);
}
