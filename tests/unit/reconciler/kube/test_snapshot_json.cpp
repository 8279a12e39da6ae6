// The objects behind an online snapshot as the API server has them, and status.snapshot.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "reconciler/kube/object_json.hpp"
#include "reconciler/kube/patch_json.hpp"
#include "reconciler/kube/snapshot_json.hpp"
#include "reconciler/kube/snapshot_status_json.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::kube;
using nlohmann::json;

namespace {

const LocationName kName{.namespace_name = "backups", .name = "minio"};

json s3_storage() {
  return json::parse(R"({"spec": {"engine": "restic", "mode": "files", "verify": true,
    "deadlineSeconds": 3600,
    "storage": {"provider": "s3", "s3": {"endpoint": "https://minio:9000/", "bucket": "b",
      "prefix": "/clusters/one/", "region": "eu", "secretName": "minio", "maxConnections": 8}}}})");
}

LocationObject settings_of(const json& object) {
  const auto storage = parse_location(kName, object.dump());
  REQUIRE(storage.has_value());
  return *storage;
}

std::string refusal(const json& object) {
  const auto storage = parse_location(kName, object.dump());
  REQUIRE_FALSE(storage.has_value());
  CHECK(storage.error().code == Code::kFailedPrecondition);
  CHECK(storage.error().reason == "INVALID_STORAGE");
  return storage.error().message;
}

SnapshotStatus full_status() {
  return {.operation = Operation::kBackup,
          .phase = SnapshotPhase::kFailed,
          .start_time = "2026-01-01T00:00:00Z",
          .completion_time = "2026-01-01T00:01:00Z",
          .duration = "1m0s",
          .progress = TransferProgress{.total_bytes = 200, .done_bytes = 50},
          .message = "no route",
          .error = TransferError{.code = "SnapshotExecutionFailed",
                                 .reason = "RepositoryUnreachable",
                                 .message = "no route",
                                 .transient = true},
          .repository = "s3:https://minio/b/shop/data",
          .storage = kName,
          .snapshot_id = "4bba301e",
          .backup_id = "uid-s",
          .version = "lvmd.v1",
          .attempts = 3,
          .retry_requested_at = "now"};
}

}  // namespace

TEST_CASE("a snapshot's content is found by its name [R-ONLINE-1]", "[reconciler][kube]") {
  CHECK(content_name("snapshot-1234") == "snapcontent-1234");
  CHECK_FALSE(content_name("pvc-1234").has_value());
  CHECK_FALSE(content_name("snapshot").has_value());
  CHECK_FALSE(content_name("").has_value());
  CHECK(class_name_of(R"({"spec": {"volumeSnapshotClassName": "online"}})") == "online");
  CHECK(class_name_of(R"({"spec": {}})") == "");
  CHECK_FALSE(class_name_of("<html>").has_value());
}

TEST_CASE("a class tells mode and storage, under the object's own group [R-ONLINE-1, R-OBJ-1]",
          "[reconciler][kube]") {
  const char* const text = R"({"parameters": {"topolvm.io/snapshotMode": "online",
    "topolvm.io/snapshotStorageName": "minio", "topolvm.io/snapshotStorageNamespace": "backups"}})";
  CHECK(parse_snapshot_class(Group::kTopolvm, text) ==
        SnapshotClass{.mode = "online", .storage = kName});
  CHECK(parse_snapshot_class(Group::kLegacy, text) == SnapshotClass{});
  CHECK(parse_snapshot_class(Group::kTopolvm, R"({"kind": "VolumeSnapshotClass"})") ==
        SnapshotClass{});
}

TEST_CASE("the namespace is never taken for the name of the backup location",
          "[reconciler][kube]") {
  const auto found = parse_snapshot_class(
      Group::kTopolvm, R"({"parameters": {"topolvm.io/snapshotStorageNamespace": "backups"}})");
  REQUIRE(found.has_value());
  CHECK(found->storage.name.empty());
}

TEST_CASE("a PersistentVolume tells its claim [R-ONLINE-9]", "[reconciler][kube]") {
  CHECK(
      parse_persistent_volume(R"({"spec": {"claimRef": {"namespace": "shop", "name": "data"}}})") ==
      PersistentVolume{.claim_namespace = "shop", .claim_name = "data"});
  const auto unclaimed = parse_persistent_volume(R"({"metadata": {"name": "pvc-1"}, "spec": {}})");
  REQUIRE_FALSE(unclaimed.has_value());
  CHECK(unclaimed.error().code == Code::kUnavailable);
}

TEST_CASE("a backup location becomes a repository in restic's notation [R-ONLINE-9]",
          "[reconciler][kube]") {
  SECTION("s3") {
    const LocationObject object = settings_of(s3_storage());
    CHECK(object.settings.location == "s3:https://minio:9000/b/clusters/one");
    CHECK(object.settings.options ==
          std::map<std::string, std::string>{{"s3.region", "eu"}, {"s3.connections", "8"}});
    CHECK(object.secret_name == "minio");
    CHECK(object.settings.mode == CopyMode::kFiles);
    CHECK(object.settings.verify);
    CHECK(object.settings.deadline_seconds == 3600);
  }
  SECTION("s3 of Amazon, without a prefix") {
    json object = s3_storage();
    object["spec"]["storage"]["s3"] = {{"bucket", "b"}, {"secretName", "x"}};
    CHECK(settings_of(object).settings.location == "s3:https://s3.amazonaws.com/b");
  }
  SECTION("rest") {
    const json object = json::parse(R"({"spec": {"storage": {"provider": "rest",
      "rest": {"url": "https://rest:8000/", "secretName": "x"}}}})");
    CHECK(settings_of(object).settings.location == "rest:https://rest:8000/");
  }
  SECTION("local") {
    const json object = json::parse(R"({"spec": {"storage": {"provider": "local",
      "local": {"path": "/var/lib/lvmd/repositories/a", "secretName": "x"}}}})");
    CHECK(settings_of(object).settings.location == "/var/lib/lvmd/repositories/a");
  }
  SECTION("gcs") {
    const json object = json::parse(R"({"spec": {"storage": {"provider": "gcs",
      "gcs": {"bucket": "b", "prefix": "p", "secretName": "x"}}}})");
    CHECK(settings_of(object).settings.location == "s3:https://storage.googleapis.com/b/p");
  }
}

TEST_CASE("a wrong backup location is refused, naming the field", "[reconciler][kube]") {
  json object = s3_storage();
  SECTION("engine") {
    object["spec"]["engine"] = "kopia";
    CHECK(refusal(object).contains("spec.engine \"kopia\""));
  }
  SECTION("provider") {
    object["spec"]["storage"]["provider"] = "azure";
    CHECK(refusal(object).contains("\"azure\""));
  }
  SECTION("mode") {
    object["spec"]["mode"] = "fast";
    CHECK(refusal(object).contains("spec.mode"));
  }
  SECTION("bucket") {
    object["spec"]["storage"]["s3"].erase("bucket");
    CHECK(refusal(object).contains("bucket"));
  }
  SECTION("secret") {
    object["spec"]["storage"]["s3"].erase("secretName");
    CHECK(refusal(object).contains("spec.storage.s3.secretName"));
  }
  SECTION("an unchecked server") {
    object["spec"]["storage"]["s3"]["insecureTLS"] = true;
    CHECK(refusal(object).contains("insecureTLS"));
  }
  SECTION("a user in the address") {
    object["spec"]["storage"] = {
        {"provider", "rest"}, {"rest", {{"url", "https://me:secret@rest/"}, {"secretName", "x"}}}};
    CHECK_FALSE(refusal(object).contains("secret@"));
  }
  SECTION("deadline") {
    object["spec"]["deadlineSeconds"] = -1;
    CHECK(refusal(object).contains("deadlineSeconds"));
  }
  SECTION("nothing at all") { CHECK(refusal(json::object()).contains("provider")); }
}

TEST_CASE("a secret's keys become credentials [R-ONLINE-9]", "[reconciler][kube]") {
  LocationSettings storage;
  REQUIRE(add_secret(kName, R"({"data": {"RESTIC_PASSWORD": "cGFzcw==", "AWS_ACCESS_KEY_ID": "aWQ=",
    "AWS_SECRET_ACCESS_KEY": "a2V5", "ca.crt": "cGVt", "other": "!"}})",
                     storage));
  CHECK(storage.credentials.password == "pass");
  CHECK(storage.credentials.access_key_id == "id");
  CHECK(storage.credentials.secret_access_key == "key");
  CHECK(storage.ca_certificates == "pem");
  const auto missing = add_secret(kName, R"({"data": {}})", storage);
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().message.contains("RESTIC_PASSWORD"));
  const auto broken = add_secret(kName, R"({"data": {"RESTIC_PASSWORD": "$ecret"}})", storage);
  REQUIRE_FALSE(broken.has_value());
  CHECK_FALSE(broken.error().message.contains("$ecret"));
}

TEST_CASE("status.snapshot is read as it was written [R-ONLINE-7, R-OBJ-26]",
          "[reconciler][kube]") {
  const json written = to_json(std::optional{full_status()});
  CHECK(written["phase"] == "Failed");
  CHECK(written["progress"]["percentage"] == 25);
  CHECK(written["storage"] == json{{"namespace", "backups"}, {"name", "minio"}});
  CHECK(snapshot_status_from(written) == full_status());
}

TEST_CASE("a field that status.snapshot no longer has is removed", "[reconciler][kube]") {
  const json written = to_json(std::optional{SnapshotStatus{}});
  for (const char* const field : {"startTime", "completionTime", "progress", "error", "repository",
                                  "storage", "snapshotID", "message"})
    CHECK(written.at(field).is_null());
}

TEST_CASE("a status.snapshot that is not understood belongs to another operator [R-ONLINE-13]",
          "[reconciler][kube]") {
  CHECK_FALSE(snapshot_status_from(json{}).has_value());
  CHECK_FALSE(snapshot_status_from(json{{"operation", "Backup"}}).has_value());
  const auto running = snapshot_status_from(
      json{{"operation", "Backup"}, {"phase", "BackingUp"}, {"version", "lvmd.v1"}});
  REQUIRE(running.has_value());
  CHECK_FALSE(is_ours(*running));
  const auto restored =
      snapshot_status_from(json{{"operation", "Restore"}, {"phase", "Completed"}});
  REQUIRE(restored.has_value());
  CHECK(restored->phase == SnapshotPhase::kSucceeded);
  CHECK_FALSE(is_ours(*restored));
  LogicalVolume volume;
  volume.status.snapshot = running;
  CHECK_FALSE(json::parse(status_patch(volume, volume.status))["status"].contains("snapshot"));
}

TEST_CASE("the decision is in the patch that adds the finalizer [R-ONLINE-2, R-CREATE-1]",
          "[reconciler][kube]") {
  LogicalVolume volume;
  volume.resource_version = "42";
  CHECK_FALSE(json::parse(finalizer_patch(volume))["metadata"]["annotations"].contains(
      "lvmd.io/restore-from"));
  volume.restore_from = "uid-s";
  const json patch = json::parse(finalizer_patch(volume));
  CHECK(patch["metadata"]["annotations"]["lvmd.io/restore-from"] == "uid-s");
  CHECK(patch["metadata"]["finalizers"] == json::array({"topolvm.io/logicalvolume"}));
  const auto read = object_from_json(
      Group::kTopolvm,
      json{{"metadata",
            {{"name", "a"}, {"uid", "u"}, {"annotations", {{"lvmd.io/restore-from", "uid-s"}}}}}});
  REQUIRE(read.has_value());
  CHECK(read->restore_from == "uid-s");
}

TEST_CASE("a status without snapshot keeps another operator's", "[reconciler][kube]") {
  const LogicalVolume volume;
  VolumeStatus status;
  CHECK_FALSE(json::parse(status_patch(volume, status))["status"].contains("snapshot"));
  status.snapshot = full_status();
  CHECK(json::parse(status_patch(volume, status))["status"]["snapshot"]["attempts"] == 3);
}
