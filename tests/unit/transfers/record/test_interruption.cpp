#include <catch2/catch.hpp>

#include "lvmd/transfers/record/interruption.hpp"
#include "lvmd/transfers/record/record_files.hpp"
#include "lvmd/transfers/record/record_lock.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace std::chrono_literals;
using lvmd::supervisor::ScratchDirectory;

namespace {

const TransferKey kInterrupted{.operation = v1::OPERATION_BACKUP, .id = "a"};

}  // namespace

TEST_CASE("a transfer whose mover died is FAILED and can be started again [P-XFER-3]",
          "[transfer]") {
  const auto record =
      interrupted(sample_record(v1::PHASE_RUNNING, sample_time(1s)), sample_time(5s));
  CHECK(check_record(record));
  CHECK(record.transfer().phase() == v1::PHASE_FAILED);
  CHECK(record.transfer().error().code() == "SnapshotExecutionFailed");
  CHECK(record.transfer().error().reason() == "Interrupted");
  CHECK(record.transfer().error().transient());
  CHECK(from_timestamp(record.transfer().completion_time()) == sample_time(5s));
}

TEST_CASE("the error code of an interrupted transfer depends on its operation", "[transfer]") {
  const auto code = [](v1::Operation operation) {
    return interrupted(sample_record(v1::PHASE_RUNNING, sample_time(1s), operation),
                       sample_time(5s))
        .transfer()
        .error()
        .code();
  };
  CHECK(code(v1::OPERATION_RESTORE) == "RestoreExecutionFailed");
  CHECK(code(v1::OPERATION_DELETE) == "DeleteExecutionFailed");
  CHECK(code(v1::OPERATION_CHECK) == "CheckExecutionFailed");
}

TEST_CASE("interrupted() does not change an ended transfer", "[transfer]") {
  const auto ended = sample_record(v1::PHASE_SUCCEEDED, sample_time(1s));
  CHECK(interrupted(ended, sample_time(5s)).SerializeAsString() == ended.SerializeAsString());
}

TEST_CASE("the record of a dead mover is settled once, that of a running one never [P-XFER-3]",
          "[transfer]") {
  const ScratchDirectory directory;
  REQUIRE(write_record(directory.file(""), sample_record(v1::PHASE_RUNNING, sample_time(1s))));
  {
    const auto mover = RecordLock::take(directory.file(""), kInterrupted);
    REQUIRE(mover);
    CHECK(settle_interrupted(directory.file(""), kInterrupted, sample_time(5s)) == false);
  }
  CHECK(settle_interrupted(directory.file(""), kInterrupted, sample_time(5s)) == true);
  CHECK(read_record(directory.file(""), kInterrupted)->transfer().phase() == v1::PHASE_FAILED);
  CHECK(settle_interrupted(directory.file(""), kInterrupted, sample_time(9s)) == false);
}
