#include <catch2/catch.hpp>
#include <string>

#include "lvmd/transfers/record/job.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers;

TEST_CASE("valid jobs of all operations are accepted", "[transfer]") {
  for (const v1::Operation operation :
       {v1::OPERATION_BACKUP, v1::OPERATION_RESTORE, v1::OPERATION_DELETE, v1::OPERATION_CHECK}) {
    CHECK(check_job(sample_job(operation)));
    CHECK(check_settings(sample_job(operation).settings()));
  }
}

TEST_CASE("an invalid job is rejected with its field, never with a secret [P-XFER-12]",
          "[transfer]") {
  internal::MoverJob job = sample_job(v1::OPERATION_RESTORE);
  std::string field;
  SECTION("id") {
    job.set_id("../x");
    field = "id";
  }
  SECTION("volume group") {
    job.mutable_device()->set_volume_group("-x");
    field = "volume_group";
  }
  SECTION("volume") {
    job.mutable_device()->set_name("..");
    field = "name";
  }
  SECTION("mode") {
    job.set_mode(static_cast<v1::Mode>(9));
    field = "mode";
  }
  SECTION("location") {
    job.mutable_repository()->set_location("x");
    field = "repository.location";
  }
  SECTION("option") {
    (*job.mutable_repository()->mutable_options())["sftp.command"] = "sh";
    field = "repository.options";
  }
  SECTION("no password") {
    job.mutable_credentials()->clear_password();
    field = "credentials.password";
  }
  SECTION("a password with a line break") {
    job.mutable_credentials()->set_password("open\nsesame");
    field = "credentials.password";
  }
  SECTION("a password that ends with a blank") {
    job.mutable_credentials()->set_password("sesame ");
    field = "credentials.password";
  }
  SECTION("an S3 repository without keys") {
    job.mutable_repository()->set_location("s3:https://host/bucket");
    field = "credentials.access_key_id";
  }
  SECTION("a key with a back quote and a line break") {
    job.mutable_credentials()->set_secret_access_key("sesame`\nx");
    field = "credentials.secret_access_key";
  }
  SECTION("two sources") {
    job.set_snapshot_id("0123456789abcdef");
    field = "exactly one of snapshot_id and backup_id";
  }
  SECTION("an invalid snapshot id") {
    job.clear_backup_id();
    job.set_snapshot_id("latest");
    field = "snapshot_id";
  }
  const auto refused = check_job(job);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().message.starts_with(field));
  CHECK_FALSE(refused.error().message.contains("sesame"));
}

TEST_CASE("settings need absolute paths and a stall limit", "[transfer]") {
  internal::MoverSettings settings = sample_job().settings();
  SECTION("restic") { settings.set_restic_path("restic"); }
  SECTION("records") { settings.clear_record_directory(); }
  SECTION("cache") { settings.set_cache_directory("cache"); }
  SECTION("roots") { settings.add_local_roots("/"); }
  SECTION("limit") { settings.set_stall_seconds(0); }
  CHECK_FALSE(check_settings(settings));
}
