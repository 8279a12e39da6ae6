#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/mounts/mounter/unmounting.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;
using model::KubeletTarget;
using model::TargetKind;
namespace fs = std::filesystem;

namespace {

const KubeletTarget kStaging{.kind = TargetKind::kStaging, .volume = std::string(64, 'a')};
const KubeletTarget kBlockStaging{.kind = TargetKind::kBlockStaging, .volume = "pv-1"};
const KubeletTarget kPodMount{.kind = TargetKind::kPodMount, .volume = "pv-1", .pod = "a"};
const KubeletTarget kPodDevice{.kind = TargetKind::kPodDevice, .volume = "pv-1", .pod = "a"};

// kubelet's root is a symbolic link.
struct Kubelet {
  Kubelet() {
    fs::create_directories(scratch.path / "real");
    fs::create_directory_symlink("real", scratch.path / "kubelet");
  }

  [[nodiscard]] fs::path path(const KubeletTarget& target) const {
    return path_of(place_of(target, root));
  }
  // The path below the scratch directory.
  [[nodiscard]] std::string below(const KubeletTarget& target) const {
    return path(target).lexically_relative(scratch.path).string();
  }
  [[nodiscard]] bool unmounts(const KubeletTarget& target) const {
    const auto removed = unmount(target, root);
    return removed && removed->mounts().empty();
  }

  mounts::ScratchTree scratch;
  const model::KubeletRoot root{.path = scratch.path / "kubelet", .driver = "topolvm.io"};
};

}  // namespace

TEST_CASE("a target that does not exist is unmounted [P-CSI-41]", "[mounter]") {
  const Kubelet kubelet;
  const auto target = GENERATE(kStaging, kBlockStaging, kPodMount, kPodDevice);
  CHECK(kubelet.unmounts(target));
  CHECK(fs::is_empty(kubelet.root.path));
  fs::create_directories(kubelet.path(target).parent_path());
  CHECK(kubelet.unmounts(target));
  CHECK(fs::is_empty(kubelet.path(target).parent_path()));
  CHECK(unmount(target, {.path = "/nonexistent/kubelet", .driver = "topolvm.io"}));
}

TEST_CASE("what the driver made is removed, and kubelet's directories stay [P-CSI-41]",
          "[mounter]") {
  const Kubelet kubelet;
  for (const auto& target : {kStaging, kBlockStaging, kPodMount})
    fs::create_directories(kubelet.path(target));
  static_cast<void>(kubelet.scratch.write(kubelet.below(kPodDevice), ""));
  for (const auto& target : {kStaging, kBlockStaging, kPodMount, kPodDevice})
    CHECK(kubelet.unmounts(target));
  CHECK(fs::exists(kubelet.path(kStaging)));
  CHECK(fs::exists(kubelet.path(kBlockStaging)));
  CHECK_FALSE(fs::exists(kubelet.path(kPodMount)));
  CHECK(fs::exists(kubelet.path(kPodMount).parent_path()));
  CHECK_FALSE(fs::exists(kubelet.path(kPodDevice)));
  CHECK(fs::exists(kubelet.path(kPodDevice).parent_path()));
}

TEST_CASE("what the driver did not make stays at its target [P-CSI-41]", "[mounter]") {
  const Kubelet kubelet;
  const auto target = GENERATE(kPodMount, kPodDevice);
  const fs::path path = kubelet.path(target);
  fs::create_directories(path.parent_path());
  SECTION("a file with content") {
    static_cast<void>(kubelet.scratch.write(kubelet.below(target), "x"));
  }
  SECTION("a directory with content") {
    static_cast<void>(kubelet.scratch.write(kubelet.below(target) + "/file", ""));
  }
  SECTION("a symbolic link") { fs::create_directory_symlink("/", path); }
  CHECK(kubelet.unmounts(target));
  CHECK(fs::symlink_status(path).type() != fs::file_type::not_found);
}
