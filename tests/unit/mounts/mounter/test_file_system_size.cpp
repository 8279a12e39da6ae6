#include <catch2/catch.hpp>
#include <cstdint>

#include "lvmd/mounts/mounter/ext4.hpp"

using namespace lvmd;
using namespace lvmd::mounts::mounter;

namespace {

void put(ext4::Superblock& superblock, std::size_t offset, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i) superblock.at(offset + i) = number >> 8 * i & 0xffU;
}

// A superblock with the magic number and blocks of 4 KiB.
ext4::Superblock superblock_of(std::uint64_t blocks) {
  ext4::Superblock superblock{};
  put(superblock, 0x4, static_cast<std::uint32_t>(blocks));
  put(superblock, 0x150, static_cast<std::uint32_t>(blocks >> 32U));
  put(superblock, 0x18, 2);
  put(superblock, 0x38, 0xef53);
  put(superblock, 0x60, 0x80);
  return superblock;
}

}  // namespace

TEST_CASE("a superblock of ext4 has blocks and their size [P-MOUNT-16]", "[mounter]") {
  CHECK(ext4::size_in(superblock_of(81920)) ==
        FileSystemSize{.bytes = std::uint64_t{320} << 20U, .block = 4096});
  // More than 2^32 blocks.
  CHECK(ext4::size_in(superblock_of(std::uint64_t{5} << 32U))->bytes == std::uint64_t{5} << 44U);
  // Without the feature "64bit" the upper half has no meaning.
  auto superblock = superblock_of(std::uint64_t{5} << 32U | 7U);
  put(superblock, 0x60, 0);
  CHECK(ext4::size_in(superblock)->bytes == std::uint64_t{7} * 4096);
  put(superblock, 0x18, 0);
  CHECK(ext4::size_in(superblock) ==
        FileSystemSize{.bytes = std::uint64_t{7} * 1024, .block = 1024});
}

TEST_CASE("what is not a superblock of ext4 has no size [P-MOUNT-16]", "[mounter]") {
  CHECK(ext4::size_in({}).error().code == Code::kInternal);
  auto superblock = superblock_of(1);
  put(superblock, 0x18, 64);
  CHECK_FALSE(ext4::size_in(superblock));
}

TEST_CASE("a file system grows by whole blocks and never shrinks [P-MOUNT-16]", "[mounter]") {
  const FileSystemSize size{.bytes = std::uint64_t{10} * 4096, .block = 4096};
  CHECK(blocks_to_fill(size, std::uint64_t{20} * 4096) == 20);
  CHECK(blocks_to_fill(size, std::uint64_t{20} * 4096 + 4095) == 20);
  CHECK(blocks_to_fill(size, std::uint64_t{11} * 4096) == 11);
  CHECK(blocks_to_fill(size, std::uint64_t{11} * 4096 - 1) == 0);
  CHECK(blocks_to_fill(size, std::uint64_t{10} * 4096) == 0);
  CHECK(blocks_to_fill(size, std::uint64_t{5} * 4096) == 0);
  CHECK(blocks_to_fill(size, 0) == 0);
}
