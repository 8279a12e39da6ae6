#include <catch2/catch.hpp>
#include <string>

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

TEST_CASE("an error for a device that cannot be opened contains its path", "[probe]") {
  const auto found = signatures("/nonexistent/lv");
  REQUIRE_FALSE(found);
  CHECK(found.error() == Error{Code::kNotFound, "open /nonexistent/lv: No such file or directory"});
  const auto blank = make_blank("/nonexistent/lv");
  REQUIRE_FALSE(blank);
  CHECK(blank.error().code == Code::kNotFound);
}
