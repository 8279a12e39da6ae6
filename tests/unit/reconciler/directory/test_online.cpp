// Online snapshots in the directory store: what the manifests say, and what is remembered.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "reconciler/directory/directory_store.hpp"
#include "reconciler/directory/record.hpp"
#include "reconciler/directory/status_file.hpp"
#include "tests/unit/reconciler/directory/directory_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

namespace {

std::string manifest(const std::string& name, const std::string& spec) {
  return "apiVersion: topolvm.io/v1\nkind: LogicalVolume\nmetadata:\n  name: " + name +
         "\nspec:\n  size: 1Gi\n" + spec;
}

const std::string kBackup =
    "  source: data\n  accessType: ro\n  backup:\n    repository: s3:https://minio/b\n"
    "    passwordFile: /etc/lvmd/password\n    credentialsFile: /etc/lvmd/keys.yaml\n"
    "    mode: blocks\n    verify: true\n";

LogicalVolume read(const std::string& spec) {
  const auto file = directory::parse_manifest_file("a.yaml", manifest("a", spec));
  REQUIRE(file.has_value());
  REQUIRE(file->manifests.size() == 1);
  return file->manifests.front().object;
}

std::string defect(const std::string& spec) {
  const LogicalVolume object = read(spec);
  REQUIRE(object.defect.has_value());
  CHECK(object.defect->code == Code::kInvalidArgument);
  return object.defect->message;
}

}  // namespace

TEST_CASE("spec.backup is the class of a snapshot [R-ONLINE-12]", "[reconciler][directory]") {
  const LogicalVolume object = read(kBackup);
  CHECK_FALSE(object.defect.has_value());
  const LocationName storage{.namespace_name = "/etc/lvmd/keys.yaml", .name = "/etc/lvmd/password"};
  REQUIRE(object.spec.backup.has_value());
  CHECK(*object.spec.backup == BackupSpec{.repository = "s3:https://minio/b",
                                          .storage = storage,
                                          .mode = CopyMode::kBlocks,
                                          .verify = true});
  const auto catalog = directory::make_snapshot_catalog();
  const auto found = catalog->find_class(object);
  REQUIRE(found.has_value());
  REQUIRE(found->has_value());
  CHECK(**found == SnapshotClass{.mode = "online", .storage = storage});
  const auto none = catalog->find_class(LogicalVolume{});
  REQUIRE(none.has_value());
  CHECK_FALSE(none->has_value());
  const auto volume = catalog->find_persistent_volume("any");
  REQUIRE(volume.has_value());
  CHECK(volume->has_value());
}

TEST_CASE("a wrong spec.backup is refused, naming the field [R-ONLINE-12, R-DOC-4]",
          "[reconciler][directory]") {
  CHECK(defect("  backup: true\n").contains("spec.backup must be a mapping"));
  CHECK(defect("  source: data\n  accessType: ro\n  backup:\n    passwordFile: /a\n")
            .contains("spec.backup.repository is missing"));
  CHECK(defect("  source: data\n  accessType: ro\n  backup:\n    repository: /r\n")
            .contains("spec.backup.passwordFile is missing"));
  CHECK(defect("  source: data\n  accessType: ro\n  backup:\n    repository: /r\n"
               "    passwordFile: a\n")
            .contains("spec.backup.passwordFile \"a\""));
  CHECK(defect("  source: data\n  accessType: rw\n  backup:\n    repository: /r\n"
               "    passwordFile: /a\n")
            .contains("spec.accessType ro"));
  CHECK(defect("  source: data\n  accessType: ro\n  backup:\n    repository: /r\n"
               "    passwordFile: /a\n    mode: fast\n")
            .contains("spec.backup.mode \"fast\""));
  CHECK(defect("  source: data\n  accessType: ro\n  backup:\n    repository: /r\n"
               "    passwordFile: /a\n    verify: maybe\n")
            .contains("spec.backup.verify"));
}

TEST_CASE("spec.restoreFrom names a backup, or a snapshot in a repository [R-ONLINE-12]",
          "[reconciler][directory]") {
  const LogicalVolume by_name = read("  restoreFrom:\n    backup: nightly\n");
  CHECK_FALSE(by_name.defect.has_value());
  CHECK(by_name.spec.restore_from->backup == "nightly");
  const LogicalVolume by_id =
      read("  restoreFrom:\n    repository: /r\n    passwordFile: /p\n    snapshotID: 4bba301e\n");
  CHECK_FALSE(by_id.defect.has_value());
  CHECK(by_id.spec.restore_from->snapshot_id == "4bba301e");
  CHECK(defect("  restoreFrom:\n    repository: /r\n    passwordFile: /p\n")
            .contains("one of snapshotID and backup"));
  CHECK(defect("  restoreFrom:\n    snapshotID: 4bba301e\n")
            .contains("spec.restoreFrom.repository is missing"));
  CHECK(defect("  source: data\n  accessType: rw\n  restoreFrom:\n    backup: nightly\n")
            .contains("exclude each other"));
}

TEST_CASE("password and credentials are read from their files each time [R-ONLINE-9, R-ONLINE-12]",
          "[reconciler][directory]") {
  const DirectoryWorld world;
  const std::string password = world.folder() / "password";
  const std::string keys = world.folder() / "keys";
  const LogicalVolume object = read(kBackup);
  const LocationName name{.namespace_name = keys, .name = password};
  const auto catalog = directory::make_snapshot_catalog();
  const auto absent = catalog->open_location(object, name);
  REQUIRE_FALSE(absent.has_value());
  CHECK(absent.error().code == Code::kUnavailable);
  CHECK(absent.error().message.contains(password));

  std::ofstream{password} << "geheim\n";
  std::ofstream{keys} << "AWS_ACCESS_KEY_ID: id\nAWS_SECRET_ACCESS_KEY: \"007\"\n";
  const auto storage = catalog->open_location(object, name);
  REQUIRE(storage.has_value());
  CHECK(storage->credentials.password == "geheim");
  CHECK(storage->credentials.access_key_id == "id");
  CHECK(storage->credentials.secret_access_key == "007");
  CHECK(storage->location == "s3:https://minio/b");
  CHECK(storage->verify);

  std::ofstream{keys} << "not: [closed: secret";
  const auto broken = catalog->open_location(object, name);
  REQUIRE_FALSE(broken.has_value());
  CHECK_FALSE(broken.error().message.contains("secret"));
}

TEST_CASE("status.snapshot is written to the status file and read again [R-ONLINE-7]",
          "[reconciler][directory]") {
  VolumeStatus status{.volume_id = "u", .current_size = Bytes{4096}};
  status.snapshot = SnapshotStatus{.operation = Operation::kRestore,
                                   .phase = SnapshotPhase::kFailed,
                                   .start_time = "2026-01-01T00:00:00Z",
                                   .progress = TransferProgress{.total_bytes = 10, .done_bytes = 4},
                                   .message = "no: route",
                                   .error = TransferError{.code = "RestoreExecutionFailed",
                                                          .message = "no: route",
                                                          .transient = true},
                                   .repository = "/var/lib/lvmd/repositories/a",
                                   .storage = {.namespace_name = "/k", .name = "/p"},
                                   .snapshot_id = "007",
                                   .version = "lvmd.v1",
                                   .attempts = 2};
  const std::string text = directory::format_status({.name = "data"}, "u", status);
  CHECK(text.contains("phase: Failed"));
  CHECK(text.contains("percentage: 40"));
  const auto parsed = directory::parse_status(text);
  REQUIRE(parsed.has_value());
  CHECK(parsed->snapshot == status.snapshot);
}

TEST_CASE("the decision to restore is in the record, and stays there [R-ONLINE-2, R-ONLINE-12]",
          "[reconciler][directory]") {
  const directory::Record record{.key = {.name = "data"},
                                 .uid = "6f0c9f3e-2d5b-4b0a-9a53-0c1b7e1f6a11",
                                 .restore_from = "4bba301e"};
  CHECK(directory::parse_record(record.key, directory::format_record(record)) == record);

  DirectoryWorld world;
  world.put("data");
  world.restart();
  LogicalVolume wanted = world.get("data");
  wanted.restore_from = "uid-s";
  REQUIRE(world.store().add_finalizer(wanted).has_value());
  CHECK(world.get("data").restore_from == "uid-s");
  wanted.restore_from.clear();
  REQUIRE(world.store().add_finalizer(wanted).has_value());
  world.restart();
  CHECK(world.get("data").restore_from == "uid-s");
}

TEST_CASE("the volume of a stored snapshot is not missing [R-LEDG-2, R-ONLINE-5]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const LogicalVolume object = world.make("data");
  const auto claim = [&] {
    const auto claims = world.store().claims();
    REQUIRE(claims.has_value());
    REQUIRE(claims->size() == 1);
    return claims->front();
  };
  CHECK(claim().has_volume);
  VolumeStatus status = object.status;
  status.snapshot = SnapshotStatus{.operation = Operation::kBackup,
                                   .phase = SnapshotPhase::kSucceeded,
                                   .repository = "/r",
                                   .snapshot_id = "4bba301e",
                                   .backup_id = object.uid,
                                   .version = "lvmd.v1"};
  REQUIRE(world.store().write_status(object, status).has_value());
  CHECK_FALSE(claim().has_volume);
}
