#include <stdlib.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "lvmd/probe/signatures.hpp"

using namespace lvmd;
using namespace lvmd::probe;

namespace {

// A file of 4 MiB of zeros in place of a device.
class Image {
 public:
  Image() {
    std::string name = (std::filesystem::temp_directory_path() / "probe-XXXXXX").string();
    const int fd = ::mkstemp(name.data());
    REQUIRE(fd >= 0);
    ::close(fd);
    path = name;
    std::filesystem::resize_file(path, 4U << 20U);
  }
  ~Image() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  void put(std::streamoff at, const std::string& bytes) const {
    std::fstream file{path, std::ios::binary | std::ios::in | std::ios::out};
    file.seekp(at);
    file << bytes;
    REQUIRE(file.flush());
  }

  // As mkswap: version 1, 1,023 pages, and the mark at the end of the first page.
  void make_swap() const {
    put(1024, std::string{"\1\0\0\0\377\3\0\0", 8});
    put(4086, "SWAPSPACE2");
  }

  // As fdisk: one Linux partition from sector 8 on, and the mark at the end of the first sector.
  void make_partition_table() const {
    put(446, std::string{"\0\0\0\0\203\0\0\0\10\0\0\0\0\20\0\0", 16});
    put(510, "\125\252");
  }

  std::string path;
};

}  // namespace

TEST_CASE("an empty device has no signatures", "[probe]") {
  const Image image;
  CHECK(signatures(image.path)->empty());
  CHECK(make_blank(image.path));
}

TEST_CASE("a signature is named with its place", "[probe]") {
  const Image image;
  image.make_swap();
  const auto found = signatures(image.path);
  REQUIRE(found);
  REQUIRE(found->size() == 1);
  CHECK(found->front() == Signature{"swap", "other", 4086});
}

TEST_CASE("all signatures are found, partition tables too", "[probe]") {
  const Image image;
  image.make_swap();
  image.make_partition_table();
  const auto found = signatures(image.path);
  REQUIRE(found);
  REQUIRE(found->size() == 2);
  CHECK(found->at(0).type == "swap");
  CHECK(found->at(1) == Signature{"dos", "partition table", 510});
}

TEST_CASE("a device made blank has no signature, near its start or far from it [P-CREATE-7]",
          "[probe]") {
  const Image image;
  image.make_swap();
  image.make_partition_table();
  // A file system whose mark lies behind what is zeroed.
  image.put(0x10040, "_BHRfS_M");
  REQUIRE(signatures(image.path)->size() == 3);
  REQUIRE(make_blank(image.path));
  CHECK(signatures(image.path)->empty());
  CHECK(make_blank(image.path));
}

TEST_CASE("a device that can't be opened is named", "[probe]") {
  const auto found = signatures("/nonexistent/lv");
  REQUIRE_FALSE(found);
  CHECK(found.error() == Error{Code::kNotFound, "open /nonexistent/lv: No such file or directory"});
  const auto blank = make_blank("/nonexistent/lv");
  REQUIRE_FALSE(blank);
  CHECK(blank.error().code == Code::kNotFound);
}
