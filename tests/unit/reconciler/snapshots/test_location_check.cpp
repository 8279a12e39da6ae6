// Whether a storage can be used: who finds out, when, and what the answer means.
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "lvmd/base/reason.hpp"
#include "reconciler/kube/backup_location_handler.hpp"
#include "reconciler/kube/backup_location_json.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/model/reason.hpp"
#include "reconciler/snapshots/location_check.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using StorageStep = CheckPlan::Step;

namespace {

const std::string kNow = "2026-01-31T12:00:00Z";

BackupLocation storage(std::optional<BackupLocationStatus> status = std::nullopt) {
  return {.name = {.namespace_name = "lvmd-snapshots", .name = "minio"},
          .uid = "uid-b",
          .resource_version = "7",
          .generation = 2,
          .status = std::move(status)};
}

BackupLocationStatus told(BackupLocationPhase phase, const std::string& node = "n1") {
  return {.phase = phase, .message = "", .node = node, .observed_generation = 2};
}

LocationView sight(milliseconds unchanged = seconds{0}, unsigned failures = 0) {
  return {.node = "n1", .unchanged = unchanged, .failures = failures, .jitter = 0.5};
}

Result<Transfer> failed_check(bool transient) {
  return Transfer{.phase = TransferPhase::kFailed,
                  .error = TransferError{.code = "CheckExecutionFailed",
                                         .reason = "RepositoryUnreachable",
                                         .message = "nobody answers",
                                         .transient = transient}};
}

CheckFinding found(const Result<Transfer>& answer,
                   const BackupLocation& of = storage(told(BackupLocationPhase::kPending))) {
  return finding_of(of, answer, "n1", kNow);
}

json object() {
  return json::parse(R"({"metadata": {"namespace": "lvmd-snapshots", "name": "minio",
    "uid": "uid-b", "resourceVersion": "7", "generation": 2},
    "spec": {"storage": {"provider": "s3"}}})");
}

}  // namespace

TEST_CASE("a new backup location is claimed, not by all nodes at once [R-STORE-2]",
          "[reconciler][storage]") {
  CHECK(plan_check(storage(), sight()) == CheckPlan{StorageStep::kClaim, seconds{1}});
  CHECK(plan_check(storage(), sight(seconds{1})) == CheckPlan{StorageStep::kClaim, seconds{0}});
  // Of another spec than the present one.
  BackupLocationStatus old = told(BackupLocationPhase::kReady);
  old.observed_generation = 1;
  CHECK(plan_check(storage(old), sight(seconds{9})).step == StorageStep::kClaim);
  // One that could not be claimed is left alone for a while.
  CHECK(plan_check(storage(), sight(seconds{0}, 3)) == CheckPlan{StorageStep::kClaim, seconds{2}});
}

TEST_CASE(
    "a backup location without validation, or that is being deleted, is not checked [R-STORE-1]",
    "[reconciler][storage]") {
  BackupLocation other = storage();
  other.validate = false;
  CHECK(plan_check(other, sight(minutes{60})) == CheckPlan{});
  other = storage();
  other.removal_wanted = true;
  CHECK(plan_check(other, sight(minutes{60})) == CheckPlan{});
}

TEST_CASE(
    "the node with the claim checks a location, another node only when the first one is gone "
    "[R-STORE-2, R-STORE-3]",
    "[reconciler][storage]") {
  const BackupLocation ours = storage(told(BackupLocationPhase::kPending));
  CHECK(plan_check(ours, sight()) == CheckPlan{StorageStep::kCheck, seconds{0}});
  CHECK(plan_check(ours, sight(seconds{0}, 1)) ==
        CheckPlan{StorageStep::kCheck, milliseconds{500}});
  const BackupLocation others = storage(told(BackupLocationPhase::kPending, "n2"));
  CHECK(plan_check(others, sight(minutes{9})) ==
        CheckPlan{StorageStep::kClaim, minutes{1} + seconds{1}});
  CHECK(plan_check(others, sight(minutes{11})) == CheckPlan{StorageStep::kClaim, seconds{0}});
}

TEST_CASE("a backup location that is Ready causes no further calls [R-STORE-4]",
          "[reconciler][storage]") {
  CHECK(plan_check(storage(told(BackupLocationPhase::kReady)), sight(minutes{6000})) ==
        CheckPlan{});
  CHECK(plan_check(storage(told(BackupLocationPhase::kReady, "n2")), sight(minutes{6000})) ==
        CheckPlan{});
}

TEST_CASE("an Error is checked again, earlier when its cause is transient [R-STORE-4]",
          "[reconciler][storage]") {
  const BackupLocation ours = storage(told(BackupLocationPhase::kError));
  CHECK(plan_check(ours, sight()) == CheckPlan{StorageStep::kCheck, minutes{10}});
  CHECK(plan_check(ours, sight(seconds{0}, 1)) == CheckPlan{StorageStep::kCheck, seconds{10}});
  CHECK(plan_check(ours, sight(seconds{0}, 9)) == CheckPlan{StorageStep::kCheck, seconds{300}});
  const BackupLocation others = storage(told(BackupLocationPhase::kError, "n2"));
  CHECK(plan_check(others, sight(minutes{19})).wait > seconds{0});
  CHECK(plan_check(others, sight(minutes{21})) == CheckPlan{StorageStep::kClaim, seconds{0}});
}

TEST_CASE("a claim names the node and the generation of the spec [R-STORE-2]",
          "[reconciler][storage]") {
  CHECK(check_claim(storage(), "n1", kNow) ==
        BackupLocationStatus{.phase = BackupLocationPhase::kPending,
                             .last_checked = kNow,
                             .node = "n1",
                             .observed_generation = 2});
}

TEST_CASE("a successful check is Ready, a failed one is Error with lvmd's message [R-STORE-3]",
          "[reconciler][storage]") {
  const auto ready = found(Transfer{.phase = TransferPhase::kSucceeded});
  REQUIRE(ready.status.has_value());
  CHECK(ready.status->phase == BackupLocationPhase::kReady);
  CHECK(ready.status->message.empty());
  CHECK(ready.status->last_checked == kNow);
  CHECK_FALSE(ready.is_passing);
  for (const bool transient : {false, true}) {
    const auto error = found(failed_check(transient));
    REQUIRE(error.status.has_value());
    CHECK(error.status->phase == BackupLocationPhase::kError);
    CHECK(error.status->message == "nobody answers");
    CHECK(error.is_passing == transient);
  }
  CHECK_FALSE(found(Transfer{.phase = TransferPhase::kCancelled}).status.has_value());
}

TEST_CASE("an unusable spec or secret is Error [R-STORE-3]", "[reconciler][storage]") {
  const auto invalid = found(std::unexpected(
      make_error(Code::kFailedPrecondition, "no bucket").because(own_reason::kInvalidStorage)));
  REQUIRE(invalid.status.has_value());
  CHECK(invalid.status->phase == BackupLocationPhase::kError);
  CHECK(invalid.status->message == "no bucket");
  CHECK_FALSE(invalid.is_passing);
  // It may come.
  const auto missing = found(std::unexpected(
      make_error(Code::kUnavailable, "no secret").because(own_reason::kNoCredentials)));
  REQUIRE(missing.status.has_value());
  CHECK(missing.status->phase == BackupLocationPhase::kError);
  CHECK(missing.is_passing);
  CHECK(found(std::unexpected(make_error(Code::kInvalidArgument, "below no root"))).status->phase ==
        BackupLocationPhase::kError);
}

TEST_CASE("a failure that is not about the location is no result, and is reported [R-STORE-3]",
          "[reconciler][storage]") {
  const Error busy = make_error(Code::kResourceExhausted, "two transfers run already");
  const auto waiting = found(std::unexpected(busy));
  REQUIRE(waiting.status.has_value());
  CHECK(waiting.status->phase == BackupLocationPhase::kPending);
  CHECK(waiting.status->message == busy.message);
  CHECK(waiting.is_passing);
  CHECK_FALSE(found(std::unexpected(busy), storage(waiting.status)).status.has_value());
  // An Error stays what it is.
  CHECK_FALSE(
      found(std::unexpected(busy), storage(told(BackupLocationPhase::kError))).status.has_value());
  for (const Error& error :
       {make_error(Code::kUnimplemented, "an older lvmd"),
        make_error(Code::kFailedPrecondition, "no restic").because(reason::kResticUnusable),
        make_error(Code::kAlreadyExists, "of before").because(reason::kTransferDiffers)}) {
    const auto none = found(std::unexpected(error));
    CHECK(none.is_passing);
    CHECK(none.status->phase == BackupLocationPhase::kPending);
  }
  const auto away = found(std::unexpected(
      make_error(Code::kUnavailable, "no lvmd").because(own_reason::kLvmdUnreachable)));
  CHECK_FALSE(away.status.has_value());
}

TEST_CASE("a location is checked where no claim has its repository [R-STORE-3]",
          "[reconciler][storage]") {
  CHECK(check_repository("s3:https://minio/bucket") == "s3:https://minio/bucket/.lvmd-check");
  CHECK(check_repository("rest:https://host/") == "rest:https://host/.lvmd-check");
}

TEST_CASE("a backup location without the field is validated [R-STORE-1]", "[reconciler][kube]") {
  CHECK(kube::location_from_json(object()).value() == storage());
  json other = object();
  other["spec"]["validateOnCreate"] = false;
  CHECK_FALSE(kube::location_from_json(other)->validate);
  other["spec"]["validateOnCreate"] = true;
  CHECK(kube::location_from_json(other)->validate);
  other["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  CHECK(kube::location_from_json(other)->removal_wanted);
  other["metadata"].erase("uid");
  CHECK_FALSE(kube::location_from_json(other));
  CHECK_FALSE(kube::parse_backup_location("no json"));
}

TEST_CASE("a location's status is read as it was written, and its version is checked [R-STORE-2]",
          "[reconciler][kube]") {
  const BackupLocationStatus status{.phase = BackupLocationPhase::kError,
                                    .message = "nobody answers",
                                    .last_checked = kNow,
                                    .node = "n1",
                                    .observed_generation = 2};
  const json patch = json::parse(kube::location_status_patch(storage(), status));
  CHECK(patch["metadata"] == json{{"resourceVersion", "7"}});
  CHECK(patch.size() == 2);
  json written = object();
  written["status"] = patch["status"];
  CHECK(kube::location_from_json(written)->status == status);
  const json claim =
      json::parse(kube::location_status_patch(storage(), check_claim(storage(), "n1", kNow)));
  CHECK(claim["status"]["message"].is_null());
  CHECK(json::accept(kube::location_status_patch(storage(), {.message = "\xff\xfe"})));
  written["status"]["phase"] = "Unheard of";
  CHECK_FALSE(kube::location_from_json(written)->status.has_value());
}

TEST_CASE(
    "the locations of one namespace are watched, and what is not listed is removed [R-STORE-1]",
    "[reconciler][kube]") {
  int changes = 0;
  kube::BackupLocationHandler collection{"lvmd-snapshots", [&changes] { ++changes; }};
  CHECK(collection.path() ==
        "/apis/topolvm.io/v1/namespaces/lvmd-snapshots/snapshotbackupstorages");
  CHECK(kube::backup_location_path({.namespace_name = "a", .name = "b/c"}) ==
        "/apis/topolvm.io/v1/namespaces/a/snapshotbackupstorages/b%2Fc");
  REQUIRE(collection.put(object()));
  CHECK(collection.all() == std::vector{storage()});
  json other = object();
  other["metadata"]["name"] = "other";
  collection.begin_list();
  REQUIRE(collection.add_listed(other));
  collection.end_list();
  REQUIRE(collection.all().size() == 1);
  CHECK(collection.all().front().name.name == "other");
  REQUIRE(collection.erase(other));
  CHECK(collection.all().empty());
  CHECK(changes == 3);
  CHECK_FALSE(collection.put(json::object()));
}
