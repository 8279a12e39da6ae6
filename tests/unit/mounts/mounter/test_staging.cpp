#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/mounts/mounter/job.hpp"
#include "lvmd/mounts/mounter/staging.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;
namespace fs = std::filesystem;

namespace {

// A directory that stands for the root of a new file system.
struct NewRoot {
  NewRoot() : path(scratch.path / "root") {
    fs::create_directories(path / "lost+found");
    REQUIRE(::chmod(path.c_str(), 0755) == 0);
    // The group of the scratch directory may be another one.
    REQUIRE(::chown(path.c_str(), owner.user, owner.group) == 0);
  }

  [[nodiscard]] unsigned mode_when_staged(const Owner& expected) const {
    const UniqueFd directory{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    REQUIRE(directory);
    // Reading the directory must not depend on an earlier reading.
    for (int time = 0; time < 2; ++time) REQUIRE(share_new_root(directory.get(), expected));
    struct stat status{};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 07777U;
  }

  const Owner owner{.user = ::geteuid(), .group = ::getegid()};
  mounts::ScratchTree scratch;
  fs::path path;
};

}  // namespace

TEST_CASE("the root directory of a new file system gets the mode 2777 [P-CSI-32]", "[mounter]") {
  const NewRoot root;
  SECTION("of ext4") {}
  SECTION("of other types") { fs::remove(root.path / "lost+found"); }
  CHECK(root.mode_when_staged(root.owner) == 02777U);
}

TEST_CASE("a root directory that is not as mkfs made it keeps its mode [P-CSI-32]", "[mounter]") {
  const NewRoot root;
  Owner expected = root.owner;
  unsigned mode = 0755U;
  SECTION("another user") { ++expected.user; }
  SECTION("another group") { ++expected.group; }
  SECTION("another mode") {
    mode = 0750U;
    REQUIRE(::chmod(root.path.c_str(), mode) == 0);
  }
  SECTION("a file") { static_cast<void>(root.scratch.write("root/.hidden", "")); }
  CHECK(root.mode_when_staged(expected) == mode);
}

TEST_CASE("a volume whose device does not match is not staged [P-CSI-34, P-CSI-36]", "[mounter]") {
  const mounts::ScratchTree kubelet;
  internal::MountJob job;
  *job.mutable_kubelet() =
      ipc::to_proto(model::KubeletRoot{.path = kubelet.path, .driver = "topolvm.io"});
  internal::StageVolume& stage = *job.mutable_stage();
  stage.mutable_device()->set_volume_group("no_such_vg");
  stage.mutable_device()->set_name("pvc-1");
  stage.mutable_device()->set_major(4095);
  const model::KubeletTarget target = GENERATE(
      model::KubeletTarget{.kind = model::TargetKind::kStaging, .volume = std::string(64, 'a')},
      model::KubeletTarget{.kind = model::TargetKind::kBlockStaging, .volume = "pv-1"});
  *stage.mutable_target() = ipc::to_proto(target);
  const auto reply = run_job(job);
  CHECK(reply.error().code() == static_cast<std::uint32_t>(Code::kFailedPrecondition));
  CHECK(reply.error().reason() == "VOLUME_INACTIVE");
  CHECK(fs::is_empty(kubelet.path));
}
