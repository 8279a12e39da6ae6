#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "lvmd/probe/blankness.hpp"
#include "lvmd/probe/make_filesystem.hpp"
#include "lvmd/probe/signatures.hpp"
#include "tests/unit/probe/image.hpp"

using namespace lvmd;
using namespace lvmd::probe;

TEST_CASE("ext4 is created on a blank device with the requested UUID [P-MOUNT-7]", "[probe]") {
  const Image image;
  REQUIRE(make_filesystem(image.path, "ext4", "00112233-4455-6677-8899-aabbccddeeff"));
  const auto found = signatures(image.path);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front().type == "ext4");
  std::ifstream file{image.path, std::ios::binary};
  file.seekg(1024 + 0x68);
  std::string uuid(16, '\0');
  file.read(uuid.data(), 16);
  CHECK(uuid ==
        std::string{"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff", 16});
}

TEST_CASE("an impossible file system is rejected before anything is written", "[probe]") {
  const Image image;
  const auto small = make_filesystem(image.path, "xfs");
  REQUIRE_FALSE(small);
  CHECK(small.error().code == Code::kFailedPrecondition);
  CHECK(small.error().message ==
        image.path + " has 4 MiB, but xfs needs at least 300 MiB: grow the volume");
  const auto unknown = make_filesystem(image.path, "vfat");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == Code::kInvalidArgument);
  CHECK_FALSE(*why_not_blank(image.path));
}

TEST_CASE("the error of a failed program quotes it, and the device is blank again [P-MOUNT-12]",
          "[probe]") {
  const Image image;
  image.put(100, "half done");
  const auto failed = make_filesystem(image.path, "ext4", "no uuid");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == Code::kInternal);
  CHECK(failed.error().message.find("mkfs.ext4 on " + image.path + " failed with exit code") == 0);
  CHECK(failed.error().message.find("UUID") != std::string::npos);
  CHECK_FALSE(failed.error().rollback);
  CHECK_FALSE(*why_not_blank(image.path));
}
