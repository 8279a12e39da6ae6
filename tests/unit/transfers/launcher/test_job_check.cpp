#include <catch2/catch.hpp>
#include <filesystem>

#include "lvmd/transfers/launcher/job_check.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/launcher/sample_job.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace lvmd::supervisor;

namespace {

// A /sys with device 253:7 named `name`.
struct Host {
  explicit Host(const std::string& name = "vg--0-snap", const std::string& uuid = kSnapUuid) {
    std::filesystem::create_directories(directory.file("dev/block/253:7/dm"));
    static_cast<void>(directory.write("dev/block/253:7/dm/name", name + "\n"));
    static_cast<void>(directory.write("dev/block/253:7/dm/uuid", uuid + "\n"));
  }

  [[nodiscard]] Status check(internal::MoverJob job) const {
    internal::MoverSettings& settings = *job.mutable_settings();
    settings.set_restic_path("/usr/bin/restic");
    settings.add_local_roots("/srv/repositories");
    settings.set_record_directory("/run/lvmd/transfers");
    settings.set_cache_directory("/var/cache/lvmd/restic");
    settings.set_stall_seconds(600);
    return check_mover_job(job, {.local_roots = {"/srv/repositories"}}, volume_groups,
                           directory.file(""));
  }

  ScratchDirectory directory;
  std::vector<std::string> volume_groups{"vg1", "vg-0"};
};

void check_refused(const Status& result, Code code, std::string_view text) {
  REQUIRE_FALSE(result);
  INFO(result.error().message);
  CHECK(result.error().code == code);
  CHECK(result.error().message.find(text) != std::string::npos);
  CHECK(result.error().message.find(kSecret) == std::string::npos);
}

}  // namespace

TEST_CASE("the supervisor accepts a valid job", "[supervisor]") {
  const Host host;
  CHECK(host.check(sample_backup()));
  internal::MoverJob deletion = sample_backup();
  deletion.set_operation(v1::OPERATION_DELETE);
  deletion.clear_device();
  deletion.set_backup_id("b");
  CHECK(host.check(deletion));
  CHECK(host.check(sample_check()));
}

TEST_CASE("the supervisor checks every field of a job [P-XFER-1, P-XFER-18]", "[supervisor]") {
  const Host host;
  internal::MoverJob job = sample_backup("../x");
  check_refused(host.check(job), Code::kInvalidArgument, "../x");
  job = sample_backup();
  job.set_operation(v1::OPERATION_UNSPECIFIED);
  check_refused(host.check(job), Code::kInvalidArgument, "operation");
  job = sample_backup();
  job.mutable_device()->set_name("a/b");
  check_refused(host.check(job), Code::kInvalidArgument, "a/b");
  job = sample_backup();
  job.mutable_repository()->set_location("s3:https://user:word@storage.example/bucket");
  check_refused(host.check(job), Code::kInvalidArgument, "repository.location");
  job = sample_backup();
  job.mutable_repository()->set_location("/etc");
  check_refused(host.check(job), Code::kInvalidArgument, "/srv/repositories");
  job = sample_backup();
  job.mutable_credentials()->set_rest_user(std::string(std::size_t{1} << 20U, 'x'));
  check_refused(host.check(job), Code::kInvalidArgument, "credentials.rest_user");
}

TEST_CASE("a device with another device-mapper name is refused [P-XFER-4]", "[supervisor]") {
  check_refused(Host{"vg--0-other"}.check(sample_backup()), Code::kFailedPrecondition,
                "device 253:7 is not volume vg-0/snap but vg--0-other");
  internal::MoverJob job = sample_backup();
  job.mutable_device()->set_minor(8);
  check_refused(Host{}.check(job), Code::kFailedPrecondition, "not a device-mapper device");
}

TEST_CASE("a transfer's volume must be in a configured group [P-XFER-24]", "[supervisor]") {
  Host host;
  host.volume_groups = {"vg1", "vg-00"};
  check_refused(host.check(sample_backup()), Code::kInvalidArgument,
                "volume group \"vg-0\" is not configured");
  internal::MoverJob restore = sample_backup();
  restore.set_operation(v1::OPERATION_RESTORE);
  restore.set_backup_id("b");
  check_refused(host.check(restore), Code::kInvalidArgument,
                "volume group \"vg-0\" is not configured");
  CHECK(host.check(sample_check()));
  host.volume_groups.clear();
  check_refused(host.check(sample_backup()), Code::kInvalidArgument, "not configured");
}

TEST_CASE("another volume of the same name is refused [P-XFER-24]", "[supervisor]") {
  const Host host{"vg--0-snap", "LVM-groupgroupgroupgroupgroupgroupgranother"};
  check_refused(host.check(sample_backup()), Code::kFailedPrecondition, "the device has changed");
  internal::MoverJob job = sample_backup();
  job.mutable_device()->clear_uuid();
  check_refused(Host{}.check(job), Code::kFailedPrecondition, "the device has changed");
}

TEST_CASE("a local repository must be strictly below a root [P-XFER-18, P-CFG-52]",
          "[supervisor]") {
  const Host host;
  internal::MoverJob job = sample_backup();
  job.mutable_repository()->set_location("/srv/repositories/a/b");
  CHECK(host.check(job));
  for (const char* const path : {"/srv/repositories", "/srv/repositories2/a", "/srv"}) {
    CAPTURE(path);
    job.mutable_repository()->set_location(path);
    check_refused(host.check(job), Code::kInvalidArgument, "transfers.local-roots");
  }
}
