#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/probe/blankness.hpp"
#include "tests/unit/probe/image.hpp"

using namespace lvmd;
using namespace lvmd::probe;

namespace {

std::string why(const Image& image) {
  const auto answer = why_not_blank(image.path);
  REQUIRE(answer);
  if (!*answer) return "blank";
  CHECK_FALSE((*answer)->in_use);
  return (*answer)->why;
}

}  // namespace

TEST_CASE("a device of zeros of any size is blank [P-MOUNT-7]", "[probe]") {
  const Image image;
  CHECK(why(image) == "blank");
  std::filesystem::resize_file(image.path, 4096);
  CHECK(why(image) == "blank");
}

TEST_CASE("a device with data in the first MiB, or with a signature, is not blank [P-MOUNT-7]",
          "[probe]") {
  const Image image;
  constexpr std::streamoff kMiB = 1 << 20;
  SECTION("first byte of the device") {
    image.put(0, "x");
    CHECK(why(image) == "its first MiB is not all zeros");
  }
  SECTION("last byte of the first MiB") {
    image.put(kMiB - 1, "x");
    CHECK(why(image) == "its first MiB is not all zeros");
  }
  SECTION("a signature") {
    image.make_swap();
    CHECK(why(image) == "it has the signature swap at 4086");
  }
  SECTION("what new extents held before is no reason") {
    image.put(kMiB, "x");
    image.put(4 * kMiB - 1, "x");
    CHECK(why(image) == "blank");
  }
}

TEST_CASE("a device that cannot be read is not blank [P-MOUNT-7]", "[probe]") {
  const auto answer = why_not_blank("/nonexistent/lv");
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == Code::kNotFound);
}
