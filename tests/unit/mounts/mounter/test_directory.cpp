#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/mounts/mounter/directory.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;
namespace fs = std::filesystem;

namespace {

struct Root {
  Root() : path(fs::canonical(scratch.path) / "root") { fs::create_directories(path); }

  [[nodiscard]] model::MountPlace place(std::vector<std::string> parts) const {
    return {.root = path, .parts = std::move(parts)};
  }

  mounts::ScratchTree scratch;
  fs::path path;
};

Error refusal(const Result<Entry>& opened) {
  REQUIRE_FALSE(opened);
  return opened.error();
}

}  // namespace

TEST_CASE("missing directories are created only on request [P-MOUNT-2]", "[mounter]") {
  const Root root;
  const auto place = root.place({"a", "b c"});
  CHECK(refusal(open_directory(place, Missing::kLeave)).code == Code::kNotFound);
  CHECK(fs::is_empty(root.path));
  const auto made = open_directory(place, Missing::kCreate);
  REQUIRE(made);
  CHECK(made->path == (root.path / "a/b c").string());
  CHECK(made->name == "b c");
  struct stat status{};
  REQUIRE(::stat((root.path / "a").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0755U);
  CHECK(open_directory(place, Missing::kCreate));
  CHECK(open_directory(place, Missing::kLeave));
}

TEST_CASE("a root is created together with a directory below it [P-CFG-50]", "[mounter]") {
  const Root root;
  const model::MountPlace place{.root = root.path / "x/y", .parts = {"a"}};
  CHECK(refusal(open_directory(place, Missing::kLeave)).code == Code::kNotFound);
  CHECK(open_directory(place, Missing::kCreate));
  CHECK(fs::is_directory(root.path / "x/y/a"));
}

TEST_CASE("a path with a symbolic link is refused, and nothing is created [P-MOUNT-2]",
          "[mounter]") {
  const Root root;
  fs::create_directories(root.path / "real");
  fs::create_directories(root.scratch.path / "outside");
  const std::string target = GENERATE("real", "../outside", "/", "nowhere", ".");
  fs::create_directory_symlink(target, root.path / "link");
  for (const auto missing : {Missing::kCreate, Missing::kLeave}) {
    for (const auto& parts :
         {std::vector<std::string>{"link"}, std::vector<std::string>{"link", "x"}}) {
      const Error error = refusal(open_directory(root.place(parts), missing));
      CHECK(error.code == Code::kFailedPrecondition);
      CHECK(error.reason == "TARGET_UNUSABLE");
      CHECK(error.message.find((root.path / "link").string() + " is a symbolic link") == 0);
    }
  }
  CHECK(fs::is_empty(root.path / "real"));
  CHECK(fs::is_empty(root.scratch.path / "outside"));
}

TEST_CASE("a file is refused as a mount point [P-MOUNT-2]", "[mounter]") {
  const Root root;
  static_cast<void>(root.scratch.write("root/file", "x"));
  CHECK(refusal(open_directory(root.place({"file"}), Missing::kCreate))
            .message.find((root.path / "file").string() + " is not a directory") == 0);
}

TEST_CASE("a root that is a symbolic link is resolved", "[mounter]") {
  const Root root;
  fs::create_directory_symlink(root.path, root.scratch.path / "alias");
  const auto opened =
      open_directory({.root = root.scratch.path / "alias", .parts = {"a"}}, Missing::kCreate);
  REQUIRE(opened);
  CHECK(opened->path == (root.path / "a").string());
}

TEST_CASE("remove_if_empty removes only an empty directory [P-MOUNT-10]", "[mounter]") {
  const Root root;
  const auto outer = open_directory(root.place({"a"}), Missing::kCreate);
  const auto inner = open_directory(root.place({"a", "b"}), Missing::kCreate);
  REQUIRE(outer);
  REQUIRE(inner);
  remove_if_empty(*outer);
  CHECK(fs::exists(root.path / "a/b"));
  remove_if_empty(*inner);
  CHECK_FALSE(fs::exists(root.path / "a/b"));
  remove_if_empty(*outer);
  CHECK_FALSE(fs::exists(root.path / "a"));
  CHECK(fs::exists(root.path));
}

TEST_CASE("a directory with any entry is not empty, and the error names the entry [P-MOUNT-15]",
          "[mounter]") {
  const Root root;
  const auto directory = open_directory(root.place({"a"}), Missing::kCreate);
  REQUIRE(directory);
  CHECK(check_empty(*directory, "/mounts/a"));
  SECTION("a file") { static_cast<void>(root.scratch.write("root/a/.hidden", "")); }
  SECTION("a directory") { fs::create_directories(root.path / "a/.hidden"); }
  SECTION("a dangling symbolic link") {
    fs::create_directory_symlink("nowhere", root.path / "a/.hidden");
  }
  for (int time = 0; time < 2; ++time) {
    const auto refused = check_empty(*directory, "/mounts/a");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kFailedPrecondition);
    CHECK(refused.error().reason == "TARGET_NOT_EMPTY");
    CHECK(refused.error().metadata ==
          std::vector<std::pair<std::string, std::string>>{{"target", "/mounts/a"}});
    CHECK(refused.error().message ==
          "target /mounts/a is not empty: a mount would hide \".hidden\" in it; move its content "
          "away, or mount elsewhere");
  }
  fs::remove(root.path / "a/.hidden");
  CHECK(check_empty(*directory, "/mounts/a"));
}

TEST_CASE("only the last part of a target of kubelet is created [P-CSI-30]", "[mounter]") {
  const Root root;
  const auto place = root.place({"pv", "mount"});
  for (const auto open : {open_directory, open_file}) {
    const Error error = refusal(open(place, Missing::kCreateLast));
    CHECK(error.code == Code::kFailedPrecondition);
    CHECK(error.reason == "TARGET_UNUSABLE");
    CHECK(error.message.find((root.path / "pv").string() + " does not exist") == 0);
  }
  CHECK(fs::is_empty(root.path));
  fs::create_directories(root.path / "pv");
  const auto made = open_directory(place, Missing::kCreateLast);
  REQUIRE(made);
  CHECK(made->path == (root.path / "pv/mount").string());
  CHECK(fs::is_directory(root.path / "pv/mount"));
  CHECK(open_directory(place, Missing::kCreateLast));
}

TEST_CASE("a missing root of kubelet is not created [P-CSI-30]", "[mounter]") {
  const Root root;
  const model::MountPlace place{.root = root.path / "kubelet", .parts = {"mount"}};
  const Error error = refusal(open_directory(place, Missing::kCreateLast));
  CHECK(error.code == Code::kFailedPrecondition);
  CHECK(error.message.find(place.root + " does not exist") == 0);
  CHECK_FALSE(fs::exists(place.root));
}

TEST_CASE("the file of a device is created once, with mode 0600 [P-CSI-39]", "[mounter]") {
  const Root root;
  const auto place = root.place({"pod"});
  CHECK(refusal(open_file(place, Missing::kLeave)).code == Code::kNotFound);
  const auto made = open_file(place, Missing::kCreateLast);
  REQUIRE(made);
  struct stat status{};
  REQUIRE(::stat((root.path / "pod").c_str(), &status) == 0);
  CHECK(status.st_mode == (S_IFREG | 0600U));
  CHECK(open_file(place, Missing::kCreateLast));
  CHECK(open_file(place, Missing::kLeave));
  remove_empty_file(*made);
  CHECK_FALSE(fs::exists(root.path / "pod"));
  remove_empty_file(*made);
}

TEST_CASE("only an empty file can become the device, and only such a file is removed [P-CSI-39]",
          "[mounter]") {
  const Root root;
  static_cast<void>(root.scratch.write("outside", ""));
  SECTION("a file with content") { static_cast<void>(root.scratch.write("root/pod", "x")); }
  SECTION("a directory") { fs::create_directories(root.path / "pod"); }
  SECTION("a symbolic link") { fs::create_symlink("../outside", root.path / "pod"); }
  const auto place = root.place({"pod"});
  for (const auto missing : {Missing::kCreateLast, Missing::kLeave}) {
    const Error error = refusal(open_file(place, missing));
    CHECK(error.code == Code::kFailedPrecondition);
    CHECK(error.reason == "TARGET_UNUSABLE");
    CHECK(error.message.find((root.path / "pod").string() + " is ") == 0);
  }
  const auto parent = open_parent(place, Missing::kLeave);
  REQUIRE(parent);
  CHECK_FALSE(parent->fd);
  remove_empty_file(*parent);
  CHECK(fs::exists(root.path / "pod"));
  CHECK(fs::exists(root.scratch.path / "outside"));
}
