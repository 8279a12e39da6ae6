#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/probe/blankness.hpp"
#include "lvmd/probe/signatures.hpp"
#include "tests/unit/probe/image.hpp"

using namespace lvmd;
using namespace lvmd::probe;

TEST_CASE("an empty device has no signatures", "[probe]") {
  const Image image;
  CHECK(signatures(image.path)->empty());
  CHECK(make_blank(image.path));
}

TEST_CASE("a signature is reported with its offset", "[probe]") {
  const Image image;
  image.make_swap();
  const auto found = signatures(image.path);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front() == Signature{"swap", "other", 4086});
}

TEST_CASE("all signatures are found, including partition tables", "[probe]") {
  const Image image;
  image.make_swap();
  image.make_partition_table();
  const auto found = signatures(image.path);
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  CHECK(found->at(0).type == "swap");
  CHECK(found->at(1) == Signature{"dos", "partition table", 510});
}

TEST_CASE("make_blank removes the signatures near the start and far from it [P-CREATE-7]",
          "[probe]") {
  const Image image;
  image.make_swap();
  image.make_partition_table();
  // A file system whose magic number lies behind the range that is zeroed.
  image.put(0x10040, "_BHRfS_M");
  REQUIRE(signatures(image.path)->size() == 3);
  REQUIRE(make_blank(image.path));
  CHECK(signatures(image.path)->empty());
  CHECK(make_blank(image.path));
}

TEST_CASE("make_blank removes what the extents held before [P-CREATE-7, P-MOUNT-7]", "[probe]") {
  const Image image;
  image.put(0, std::string(4U << 20U, 'x'));
  REQUIRE(make_blank(image.path));
  const auto why = why_not_blank(image.path);
  REQUIRE(why);
  CHECK_FALSE(*why);
}

TEST_CASE("make_blank does not lengthen a small device", "[probe]") {
  const Image image;
  std::filesystem::resize_file(image.path, 4096);
  REQUIRE(make_blank(image.path));
  CHECK(std::filesystem::file_size(image.path) == 4096);
}

TEST_CASE("an error for a device that cannot be opened contains its path", "[probe]") {
  const auto found = signatures("/nonexistent/lv");
  REQUIRE_FALSE(found);
  CHECK(found.error() == Error{Code::kNotFound, "open /nonexistent/lv: No such file or directory"});
  const auto blank = make_blank("/nonexistent/lv");
  REQUIRE_FALSE(blank);
  CHECK(blank.error().code == Code::kNotFound);
}
