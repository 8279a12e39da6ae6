#include <catch2/catch.hpp>
#include <filesystem>

#include "lvmd/base/error.hpp"
#include "lvmd/mounts/mounter/job.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;
namespace fs = std::filesystem;

TEST_CASE("the list for empty or missing roots is empty [P-MOUNT-12]", "[mounter]") {
  const mounts::ScratchTree directory;
  internal::MountJob job;
  job.mutable_list();
  job.add_roots(directory.path.string());
  job.add_roots((directory.path / "missing").string());
  const auto reply = run_job(job);
  REQUIRE(reply.has_mounts());
  CHECK(reply.mounts().mounts().empty());
  CHECK_FALSE(fs::exists(directory.path / "missing"));
}

TEST_CASE("an unmount of an unmounted target succeeds and removes an empty directory [P-MOUNT-10]",
          "[mounter]") {
  const mounts::ScratchTree directory;
  fs::create_directories(directory.path / "left/behind");
  internal::MountJob job;
  job.add_roots(directory.path.string());
  job.mutable_unmount()->set_target((directory.path / "left/behind").string());
  for (int i = 0; i < 2; ++i) {
    const auto reply = run_job(job);
    REQUIRE(reply.has_mounts());
    CHECK(reply.mounts().mounts().empty());
    CHECK_FALSE(fs::exists(directory.path / "left/behind"));
    CHECK(fs::exists(directory.path / "left"));
  }
  fs::create_directory_symlink("/", directory.path / "left/behind");
  CHECK(run_job(job).error().code() == static_cast<std::uint32_t>(Code::kFailedPrecondition));
  CHECK(fs::is_symlink(directory.path / "left/behind"));
}

TEST_CASE("an empty job and a job outside the roots are answered with an error", "[mounter]") {
  CHECK(run_job({}).error().code() == static_cast<std::uint32_t>(Code::kInvalidArgument));
  internal::MountJob job;
  job.mutable_mount()->set_target("/etc/x");
  job.add_roots("/srv");
  CHECK(run_job(job).error().message().find("target \"/etc/x\"") == 0);
}

TEST_CASE("a volume whose device does not match does not grow [P-MOUNT-3, P-MOUNT-17]",
          "[mounter]") {
  internal::MountJob job;
  job.add_roots("/srv");
  job.mutable_grow()->set_volume_group("no_such_vg");
  job.mutable_grow()->set_name("pvc-1");
  job.mutable_grow()->set_major(4095);
  const auto reply = run_job(job);
  CHECK(reply.error().code() == static_cast<std::uint32_t>(Code::kFailedPrecondition));
  CHECK(reply.error().reason() == "VOLUME_INACTIVE");
}
