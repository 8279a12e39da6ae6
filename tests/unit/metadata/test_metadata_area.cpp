#include <catch2/catch.hpp>
#include <string>

#include "lvmd/metadata/metadata_area.hpp"
#include "tests/unit/metadata/pv_image.hpp"
#include "tests/unit/metadata/sample_text.hpp"

using namespace lvmd;
using namespace lvmd::metadata;
using namespace lvmd::metadata::test;

namespace {

Result<std::string> read_committed(const PvImage& image) {
  const auto device = DeviceFile::open(image.path());
  REQUIRE(device);
  const auto header = read_mda_header(*device, PvImage::kFirstArea);
  REQUIRE(header);
  return read_text(*device, PvImage::kFirstArea, *header);
}

}  // namespace

TEST_CASE("a device is read at any offset with any length", "[metadata]") {
  const ScratchFolder folder;
  PvImage image{folder.file("pv"), kPv0Id};
  image.overwrite(5000, "hello");
  const auto device = DeviceFile::open(image.path());
  REQUIRE(device);
  CHECK(device->read(5000, 5) == "hello");
  CHECK(device->read(4990, 10)->substr(0, 10) == std::string(10, '\0'));
  CHECK(device->read(0, 1U << 20U)->substr(5000, 5) == "hello");
  CHECK(device->read((1U << 20U) - 3, 3) == std::string(3, '\0'));
}

TEST_CASE("reading beyond the end of a device names the device", "[metadata]") {
  const ScratchFolder folder;
  const PvImage image{folder.file("pv"), kPv0Id};
  const auto device = DeviceFile::open(image.path());
  REQUIRE(device);
  const auto bytes = device->read((1U << 20U) - 3, 4);
  REQUIRE_FALSE(bytes);
  CHECK(bytes.error().message ==
        folder.file("pv") + " ends at 1048576, expected 4 bytes at 1048573");
  CHECK_FALSE(device->read(UINT64_MAX, 1));
}

TEST_CASE("a device that does not exist is not found", "[metadata]") {
  const auto device = DeviceFile::open("/nonexistent/pv");
  REQUIRE_FALSE(device);
  CHECK(device.error().code == Code::kNotFound);
  CHECK(device.error().message.starts_with("open /nonexistent/pv: "));
}

TEST_CASE("a committed text is read without its NUL", "[metadata]") {
  const ScratchFolder folder;
  PvImage image{folder.file("pv"), kPv0Id};
  const std::string text = sample_text();
  const auto offset = GENERATE(512, 1024, 10240, 40960, 65024);
  CAPTURE(offset);
  image.commit(text, 0, static_cast<std::uint64_t>(offset));
  CHECK(read_committed(image) == text);
}

TEST_CASE("a text that wraps continues after the header [E-NATIVE-3]", "[metadata]") {
  const ScratchFolder folder;
  PvImage image{folder.file("pv"), kPv0Id};
  const std::string text(30000, 'x');
  // The text wraps one byte before its end, at its last byte, and before its NUL.
  const auto fits = GENERATE(1, 15000, 29999, 30000);
  image.commit(text, 0, PvImage::kFirstArea.size - static_cast<std::uint64_t>(fits));
  CHECK(read_committed(image) == text);
}

TEST_CASE("a text that does not match its header is rejected", "[metadata]") {
  const ScratchFolder folder;
  PvImage image{folder.file("pv"), kPv0Id};
  image.commit(sample_text());
  image.overwrite(4096 + 512 + 100, "x");
  const auto text = read_committed(image);
  REQUIRE_FALSE(text);
  CHECK(text.error() ==
        Error{Code::kUnavailable, "metadata area at 4096: its text has a wrong checksum"});
}
