#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <fstream>
#include <memory>
#include <vector>

#include "lvmd/base/heap.hpp"

namespace {

std::size_t resident_bytes() {
  std::ifstream statm{"/proc/self/statm"};
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("limit_heap disables transparent huge pages [P-RUN-29]", "[base]") {
  REQUIRE(::prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 0);
  lvmd::limit_heap();
  CHECK(::prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1);
  REQUIRE(::prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0) == 0);
}

// Sanitizers replace the heap.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("trim_heap returns memory to the kernel below a block that is in use", "[base]") {
  using Block = std::array<char, 1024>;
  constexpr std::size_t kBlocks = std::size_t{32} * 1024;
  std::vector<std::unique_ptr<Block>> blocks;
  blocks.reserve(kBlocks);
  for (std::size_t i = 0; i < kBlocks; ++i) blocks.push_back(std::make_unique<Block>());
  const auto stays = std::make_unique<Block>();
  blocks.clear();
  const std::size_t before = resident_bytes();
  lvmd::trim_heap();
  CHECK(resident_bytes() + kBlocks * sizeof(Block) / 2 < before);
}
#endif
