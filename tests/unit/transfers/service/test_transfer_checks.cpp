#include <catch2/catch.hpp>

#include "lvmd/transfers/service/transfer_checks.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace lvmd::volumes;

namespace {

const std::vector<std::string> kRoots{"/srv/repositories"};
constexpr const char* kCallersSecret = "a-secret-that-is-nowhere";

v1::StartBackupRequest backup_request() {
  v1::StartBackupRequest request;
  request.set_id("b");
  request.set_name("snap");
  request.set_device_class("thin");
  request.mutable_repository()->set_location("s3:https://storage.example/bucket");
  request.mutable_credentials()->set_password(kCallersSecret);
  request.mutable_credentials()->set_access_key_id("key");
  request.mutable_credentials()->set_secret_access_key(kCallersSecret);
  return request;
}

v1::StartRestoreRequest restore_request() {
  v1::StartRestoreRequest request;
  request.set_id("r");
  request.set_name("new");
  request.set_device_class("thin");
  request.mutable_repository()->set_location("/srv/repositories/a");
  request.mutable_credentials()->set_password(kCallersSecret);
  request.set_backup_id("b");
  return request;
}

template <typename Request>
Error refusal(const Request& request) {
  const auto checked = check(sample_catalog(), kRoots, request);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().message.find(kCallersSecret) == std::string::npos);
  return checked.error();
}

template <typename Request>
void check_refused(const Request& request, std::string_view field) {
  const Error error = refusal(request);
  INFO(error.message);
  CHECK(error.code == Code::kInvalidArgument);
  CHECK(error.message.find(field) != std::string::npos);
  CHECK_FALSE(error.reason.empty());
}

// vg0 with a read-only snapshot "snap", a writable volume "new" and an inactive "asleep".
ReadModel& fill(ReadModel& model) {
  auto asleep = sample_volume("asleep", model::LvRole::kThin, "pool0");
  auto blank = sample_volume("new", model::LvRole::kThin, "pool0");
  blank.device = model::DeviceState{.major = 253, .minor = 8};
  auto snap = sample_volume("snap", model::LvRole::kThin, "pool0");
  snap.device = model::DeviceState{.major = 253, .minor = 7, .read_only = true};
  snap.writable = false;
  snap.origin = "new";
  const auto pool = sample_volume("pool0", model::LvRole::kThinPool);
  model.apply(sample_state("vg0", 1, 10, {asleep, blank, pool, snap}));
  return model;
}

Status locate(ReadModel& model, const std::string& device_class, internal::MoverJob& job) {
  return locate_volume(sample_catalog(), model, device_class, job);
}

}  // namespace

TEST_CASE("a valid request becomes a job with the names of its volume", "[server]") {
  auto request = backup_request();
  request.set_mode(v1::MODE_BLOCKS);
  request.set_verify(true);
  request.set_deadline_seconds(60);
  const auto job = check(sample_catalog(), kRoots, request);
  REQUIRE(job);
  CHECK(job->operation() == v1::OPERATION_BACKUP);
  CHECK(job->device().volume_group() == "vg0");
  CHECK(job->device().name() == "snap");
  CHECK(job->mode() == v1::MODE_BLOCKS);
  CHECK(job->verify());
  CHECK(job->deadline_seconds() == 60);
  CHECK(job->credentials().password() == kCallersSecret);
  const auto restore = check(sample_catalog(), kRoots, restore_request());
  REQUIRE(restore);
  CHECK(restore->operation() == v1::OPERATION_RESTORE);
  CHECK(restore->backup_id() == "b");
}

TEST_CASE("the class is checked first, then the fields by number [P-ORDER-1]", "[server]") {
  auto request = backup_request();
  request.set_mode(static_cast<v1::Mode>(77));
  check_refused(request, "mode");
  request.mutable_credentials()->clear_password();
  check_refused(request, "credentials.password");
  request.mutable_repository()->set_location("ftp://somewhere");
  check_refused(request, "repository.location");
  request.set_name("-x");
  check_refused(request, "name");
  request.set_id(".x");
  check_refused(request, "id");
  request.set_device_class("none");
  CHECK(refusal(request).code == Code::kNotFound);
}

TEST_CASE("a repository's location has no user, and a local one must be below a root [P-XFER-18]",
          "[server]") {
  auto request = backup_request();
  request.mutable_repository()->set_location("rest:https://user:" + std::string{kCallersSecret} +
                                             "@storage.example/");
  check_refused(request, "repository.location");
  request.mutable_repository()->set_location("/etc/repository");
  check_refused(request, "/srv/repositories");
  request.mutable_repository()->set_location("/srv/repositories/../x");
  check_refused(request, "repository.location");
  request.mutable_repository()->set_location("/srv/repositories/x");
  CHECK(check(sample_catalog(), kRoots, request));
}

TEST_CASE("a restore names one source, a deletion its backup", "[server]") {
  auto request = restore_request();
  request.set_snapshot_id("0123456789abcdef");
  check_refused(request, "snapshot_id");
  request.clear_backup_id();
  CHECK(check(sample_catalog(), kRoots, request));
  request.clear_snapshot_id();
  check_refused(request, "backup_id");
  v1::DeleteBackupRequest deletion;
  deletion.set_id("d");
  *deletion.mutable_repository() = request.repository();
  *deletion.mutable_credentials() = request.credentials();
  check_refused(deletion, "backup_id");
  deletion.set_backup_id("b");
  CHECK(check(sample_catalog(), kRoots, deletion));
}

TEST_CASE("a check names a repository and its credentials, and no volume [P-XFER-20]", "[server]") {
  v1::StartCheckRequest request;
  request.set_id("c");
  request.mutable_repository()->set_location("/srv/repositories/a");
  check_refused(request, "credentials.password");
  request.mutable_credentials()->set_password(kCallersSecret);
  request.set_deadline_seconds(60);
  auto job = check(sample_catalog(), kRoots, request);
  REQUIRE(job);
  CHECK(job->operation() == v1::OPERATION_CHECK);
  CHECK(job->deadline_seconds() == 60);
  ReadModel model{{"vg0", "vg1"}};
  CHECK(locate(model, "", *job));
  CHECK_FALSE(job->has_device());
  request.mutable_repository()->set_location("s3:https://storage.example/bucket");
  check_refused(request, "credentials.access_key_id");
  request.set_id("a/b");
  check_refused(request, "id");
}

TEST_CASE("a backup needs a read-only volume [P-XFER-7]", "[server]") {
  ReadModel model{{"vg0", "vg1"}};
  fill(model);
  auto job = check(sample_catalog(), kRoots, backup_request());
  REQUIRE(job);
  REQUIRE(locate(model, "thin", *job));
  CHECK(job->device().major() == 253);
  CHECK(job->device().minor() == 7);
  CHECK_FALSE(job->device().writable());
  CHECK(job->device().snapshot());
  job->mutable_device()->set_name("new");
  const auto refused = locate(model, "thin", *job);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
  CHECK(refused.error().message.find("create a read-only snapshot") != std::string::npos);
}

TEST_CASE("a restore needs a writable volume [P-XFER-9]", "[server]") {
  ReadModel model{{"vg0", "vg1"}};
  fill(model);
  auto job = check(sample_catalog(), kRoots, restore_request());
  REQUIRE(job);
  REQUIRE(locate(model, "thin", *job));
  CHECK(job->device().writable());
  CHECK_FALSE(job->device().snapshot());
  job->mutable_device()->set_name("snap");
  const auto refused = locate(model, "thin", *job);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
}

TEST_CASE("a transfer's volume belongs to the class, is active and not hidden", "[server]") {
  ReadModel model{{"vg0", "vg1"}};
  fill(model);
  auto job = check(sample_catalog(), kRoots, backup_request());
  REQUIRE(job);
  const auto code = [&](const std::string& name, const std::string& device_class) {
    job->mutable_device()->set_name(name);
    const auto located = locate(model, device_class, *job);
    return located ? Code::kOk : located.error().code;
  };
  CHECK(code("snap", "thin") == Code::kOk);
  CHECK(code("snap", "ssd") == Code::kNotFound);
  CHECK(code("missing", "thin") == Code::kNotFound);
  CHECK(code("asleep", "thin") == Code::kFailedPrecondition);
  model.hide("vg0", {"snap"});
  CHECK(code("snap", "thin") == Code::kNotFound);
  job->mutable_device()->set_volume_group("vg1");
  CHECK(code("snap", "disks") == Code::kUnavailable);
}

TEST_CASE("a transfer's name has an operation and an id", "[server]") {
  v1::TransferName name;
  name.set_id("b");
  REQUIRE_FALSE(check(name));
  CHECK(check(name).error().code == Code::kInvalidArgument);
  name.set_operation(v1::OPERATION_DELETE);
  CHECK(check(name));
  name.set_id("a/b");
  CHECK_FALSE(check(name));
}
