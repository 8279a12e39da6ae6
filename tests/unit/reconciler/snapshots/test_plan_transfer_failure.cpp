// plan() after a transfer was refused, held up or cancelled, or has failed: what is told, and when
// it is tried again.
#include <catch2/catch.hpp>
#include <string>

#include "reconciler/app/plan.hpp"
#include "reconciler/snapshots/snapshot_status.hpp"
#include "tests/unit/reconciler/snapshots/online_objects.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("a refused start is Failed without having run [R-ONLINE-6]", "[reconciler][online]") {
  const LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  const auto refused = refused_transfer(
      Operation::kBackup, make_error(Code::kFailedPrecondition, "restic 0.14 is too old"));
  REQUIRE(refused.has_value());
  const VolumeStatus status =
      written(snapshot, {.snapshot = {.online = enabled(), .transfer = refused}});
  CHECK(status.snapshot->phase == SnapshotPhase::kFailed);
  REQUIRE(status.snapshot->error.has_value());
  CHECK(status.snapshot->error->code == "SnapshotExecutionFailed");
  CHECK(status.snapshot->error->message == "restic 0.14 is too old");
  CHECK(condition_in(status, "BackupReady").reason == "FailedPrecondition");
}

TEST_CASE("a start that can succeed later is not a failure", "[reconciler][online]") {
  for (const Code code : {Code::kUnavailable, Code::kResourceExhausted, Code::kUnimplemented,
                          Code::kDeadlineExceeded, Code::kAborted})
    CHECK_FALSE(refused_transfer(Operation::kBackup, make_error(code, "x")).has_value());
}

TEST_CASE(
    "execution error: Failed, with lvmd's code and message, and no code of the volume "
    "[R-ONLINE-7]",
    "[reconciler][online]") {
  for (const char* const code : {"VolumeMountFailed", "SnapshotExecutionFailed"}) {
    INFO(code);
    Transfer transfer = failed(false);
    transfer.error->code = code;
    const VolumeStatus status = written(backed_up(SnapshotPhase::kRunning),
                                        {.snapshot = {.online = enabled(), .transfer = transfer}});
    REQUIRE(status.snapshot->error.has_value());
    CHECK(status.snapshot->error->code == code);
    CHECK(status.snapshot->error->message == "no route to minio");
    CHECK(status.code == 0);
    CHECK(status.message.empty());
    CHECK(condition_in(status, "BackupReady").reason == "RepositoryUnreachable");
  }
}

TEST_CASE("a cancelled transfer has failed", "[reconciler][online]") {
  const SnapshotStatus snapshot = snapshot_in(
      backed_up(SnapshotPhase::kRunning),
      {.snapshot = {.online = enabled(), .transfer = ended(TransferPhase::kCancelled)}});
  CHECK(snapshot.phase == SnapshotPhase::kFailed);
  CHECK_FALSE(snapshot.error->transient);
}

TEST_CASE("Failed becomes Pending again after a transient cause, ten times [R-ONLINE-6]",
          "[reconciler][online]") {
  CHECK(plan(failed_backup(true), {.snapshot = {.online = enabled()}}) == Step{AwaitRetry{1}});
  const SnapshotStatus again =
      snapshot_in(failed_backup(true), {.snapshot = {.online = enabled(), .retry_due = true}});
  CHECK(again.phase == SnapshotPhase::kPending);
  CHECK(again.attempts == 2);
  CHECK(again.repository == kRepository);
  CHECK_FALSE(again.error.has_value());
  CHECK(plan(failed_backup(true, 10), {.snapshot = {.online = enabled()}}) == Step{AwaitRetry{10}});
  CHECK(plan(failed_backup(true, 11), {.snapshot = {.online = enabled(), .retry_due = true}}) ==
        Step{Nothing{}});
  CHECK(plan(failed_backup(false), {.snapshot = {.online = enabled(), .retry_due = true}}) ==
        Step{Nothing{}});
}

TEST_CASE("a changed annotation requests a failed transfer again [R-ONLINE-6]",
          "[reconciler][online]") {
  LogicalVolume snapshot = failed_backup(GENERATE(false, true), 11);
  snapshot.annotations["lvmd.io/retry-requested-at"] = "now";
  snapshot.status.snapshot = snapshot_in(snapshot, {.snapshot = {.online = enabled()}});
  CHECK(snapshot.status.snapshot->phase == SnapshotPhase::kPending);
  CHECK(snapshot.status.snapshot->attempts == 1);
  SECTION("once") {
    snapshot.status.snapshot->phase = SnapshotPhase::kFailed;
    CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) == Step{Nothing{}});
  }
  SECTION("never from Succeeded") {
    snapshot = backed_up(SnapshotPhase::kSucceeded);
    snapshot.annotations["lvmd.io/retry-requested-at"] = "now";
    CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) == Step{RemoveSnapshotVolume{}});
  }
}

TEST_CASE("an unmet precondition of a transfer is in its condition, and never in code",
          "[reconciler][online]") {
  const Error error =
      make_error(Code::kFailedPrecondition, "no such key").because("NO_CREDENTIALS");
  const auto [volume, type] = GENERATE(table<LogicalVolume, std::string>(
      {{backed_up(SnapshotPhase::kPending), "BackupReady"},
       {backed_up(SnapshotPhase::kSucceeded), "LVMSnapshotCleaned"},
       {restored(SnapshotPhase::kPending), "RestoreReady"},
       {removed(backed_up(SnapshotPhase::kSucceeded)), "SnapshotDeleteEnsured"}}));
  const VolumeStatus status = merge(volume, blocked_report(volume, error));
  CHECK(condition_in(status, type).status == "False");
  CHECK(condition_in(status, type).reason == "NoCredentials");
  CHECK(status.code == 0);
  CHECK(status.snapshot->phase == volume.status.snapshot->phase);
}
