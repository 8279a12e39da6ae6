#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/transfers/mover/sandbox.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using lvmd::supervisor::ScratchDirectory;
using lvmd::transfers::mover::open_local_repository;
namespace fs = std::filesystem;

TEST_CASE("a local repository is opened below a root, and created for a backup", "[mover]") {
  const ScratchDirectory directory;
  const std::string root = directory.file("root");
  const auto missing = open_local_repository(root + "/a/b", {root}, false);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == Code::kNotFound);
  CHECK_FALSE(fs::exists(root));
  CHECK(open_local_repository(root + "/a/b", {root}, true));
  CHECK(fs::is_directory(root + "/a/b"));
  CHECK(open_local_repository(root + "/a/b", {"/nonexistent", root}, false));
}

TEST_CASE("a path outside the roots is rejected", "[mover]") {
  const ScratchDirectory directory;
  const std::string root = directory.file("root");
  fs::create_directory(root);
  for (const std::string& path : {root, root + "2/a", std::string{"/etc"}}) {
    const auto refused = open_local_repository(path, {root}, true);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kInvalidArgument);
  }
}

TEST_CASE("a path with a symbolic link below the root is rejected", "[mover]") {
  const ScratchDirectory directory;
  const std::string root = directory.file("root");
  fs::create_directories(root + "/real/inner");
  fs::create_directory_symlink("/etc", root + "/out");
  fs::create_directory_symlink("real", root + "/in");
  for (const char* const path : {"/out", "/out/ssl", "/in", "/in/inner"}) {
    const auto refused = open_local_repository(root + path, {root}, false);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kFailedPrecondition);
  }
  CHECK(open_local_repository(root + "/real/inner", {root}, false));
}
