#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>

#include "lvmd/mounts/mounter/file_system_errors.hpp"
#include "lvmd/mounts/mounter/job.hpp"
#include "lvmd/mounts/mounter/usage.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;
namespace fs = std::filesystem;

TEST_CASE("bytes and inodes are counted as for users without privileges [P-MOUNT-18]",
          "[mounter]") {
  struct statvfs status{};
  status.f_bsize = 65536;
  status.f_frsize = 4096;
  status.f_blocks = 1000;
  status.f_bfree = 600;
  status.f_bavail = 550;
  status.f_files = 64;
  status.f_ffree = 54;
  status.f_favail = 50;
  v1::GetUsageResponse usage;
  fill_in_capacity(status, usage);
  CHECK(usage.bytes().total() == std::uint64_t{1000} * 4096);
  CHECK(usage.bytes().used() == std::uint64_t{400} * 4096);
  CHECK(usage.bytes().available() == std::uint64_t{550} * 4096);
  CHECK(usage.inodes().total() == 64);
  CHECK(usage.inodes().used() == 10);
  CHECK(usage.inodes().available() == 50);
}

TEST_CASE("a file system without a fixed number of inodes has none [P-MOUNT-18]", "[mounter]") {
  struct statvfs status{};
  status.f_frsize = 4096;
  status.f_blocks = std::uint64_t{1} << 40U;
  v1::GetUsageResponse usage;
  fill_in_capacity(status, usage);
  CHECK(usage.bytes().total() == std::uint64_t{1} << 52U);
  CHECK_FALSE(usage.has_inodes());
}

TEST_CASE("the kernel counts the errors of an ext4 by its device [P-MOUNT-19]", "[mounter]") {
  const mounts::ScratchTree sys;
  static_cast<void>(sys.write("devices/virtual/block/dm-3/size", "1\n"));
  fs::create_directories(sys.path / "dev/block");
  fs::create_symlink("../../devices/virtual/block/dm-3", sys.path / "dev/block/253:3");
  CHECK_FALSE(ext4_error_count({253, 3}, sys.path));
  static_cast<void>(sys.write("fs/ext4/dm-3/errors_count", "7\n"));
  CHECK(ext4_error_count({253, 3}, sys.path) == 7U);
  CHECK_FALSE(ext4_error_count({253, 4}, sys.path));
}

TEST_CASE("a volume whose device does not match has no usage [P-MOUNT-3, P-MOUNT-18]",
          "[mounter]") {
  internal::MountJob job;
  job.add_roots("/srv");
  job.mutable_usage()->mutable_device()->set_volume_group("no_such_vg");
  job.mutable_usage()->mutable_device()->set_name("pvc-1");
  job.mutable_usage()->mutable_device()->set_major(4095);
  const auto reply = run_job(job);
  CHECK(reply.error().code() == static_cast<std::uint32_t>(Code::kFailedPrecondition));
  CHECK(reply.error().reason() == "VOLUME_INACTIVE");
}
