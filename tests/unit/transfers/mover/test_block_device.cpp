#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

#include "lvmd/transfers/mover/block_device.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;
using lvmd::supervisor::ScratchDirectory;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20U;

std::string content(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

Status no_pulse(std::uint64_t /*offset*/) { return {}; }

}  // namespace

TEST_CASE(
    "blocks are written at their offsets, and the ranges between them become zeros [P-XFER-9]",
    "[mover]") {
  const ScratchDirectory directory;
  std::string before(5 * kMiB, '\0');
  // Old data in the middle of the volume.
  before[2 * kMiB + 5] = 'x';
  before[3 * kMiB] = 'y';
  const std::string path = directory.write("device", before);
  auto device = BlockDevice::open(path, no_pulse);
  REQUIRE(device);
  REQUIRE((*device)->begin(4 * kMiB));
  const std::string block(kBlockSize, 'a');
  REQUIRE((*device)->write(0, block));
  REQUIRE((*device)->write(kMiB - kBlockSize, block + block));
  REQUIRE((*device)->write(3 * kMiB, block));
  REQUIRE((*device)->finish());
  std::string wanted(5 * kMiB, '\0');
  wanted.replace(0, kBlockSize, block);
  wanted.replace(kMiB - kBlockSize, 2 * kBlockSize, block + block);
  wanted.replace(3 * kMiB, kBlockSize, block);
  CHECK((content(path) == wanted));
}

TEST_CASE(
    "the edges of a volume stay blank until the end, so that a restore can be repeated [P-XFER-9]",
    "[mover]") {
  const ScratchDirectory directory;
  const std::string path = directory.write("device", std::string(4 * kMiB, '\0'));
  auto device = BlockDevice::open(path, no_pulse);
  REQUIRE(device);
  REQUIRE((*device)->begin(4 * kMiB));
  for (std::size_t at = 0; at < 4 * kMiB; at += kMiB)
    REQUIRE((*device)->write(at, std::string(kMiB, 'a')));
  const std::string half = content(path);
  CHECK((half.substr(0, kMiB) == std::string(kMiB, '\0')));
  CHECK((half.substr(kMiB, 2 * kMiB) == std::string(2 * kMiB, 'a')));
  CHECK((half.substr(3 * kMiB) == std::string(kMiB, '\0')));
  REQUIRE((*device)->finish());
  CHECK((content(path) == std::string(4 * kMiB, 'a')));
}

TEST_CASE("a device smaller than both edges is written completely", "[mover]") {
  const ScratchDirectory directory;
  for (const std::size_t size : {std::size_t{512}, kBlockSize, kMiB, kMiB + 512, 2 * kMiB}) {
    const std::string path = directory.write("device", std::string(size, '\0'));
    auto device = BlockDevice::open(path, no_pulse);
    REQUIRE(device);
    REQUIRE((*device)->begin(size));
    REQUIRE((*device)->write(0, std::string(size, 'z')));
    REQUIRE((*device)->finish());
    CHECK((content(path) == std::string(size, 'z')));
  }
}

TEST_CASE("nothing is written to a device that is too small [P-XFER-9]", "[mover]") {
  const ScratchDirectory directory;
  const std::string path = directory.write("device", std::string(kMiB, '\0'));
  auto device = BlockDevice::open(path, no_pulse);
  REQUIRE(device);
  const auto begun = (*device)->begin(kMiB + 1);
  REQUIRE_FALSE(begun);
  CHECK(begun.error().code == Code::kOutOfRange);
}

TEST_CASE("an error from on_progress stops the writing", "[mover]") {
  const ScratchDirectory directory;
  const std::string path = directory.write("device", std::string(8 * kMiB, '\0'));
  std::uint64_t reached = 0;
  auto device = BlockDevice::open(path, [&reached](std::uint64_t offset) -> Status {
    reached = offset;
    if (offset < 3 * kMiB) return {};
    return fail(Code::kCancelled, "stopped");
  });
  REQUIRE(device);
  REQUIRE((*device)->begin(8 * kMiB));
  const auto ended = (*device)->finish();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == Code::kCancelled);
  CHECK(reached == 3 * kMiB);
}
