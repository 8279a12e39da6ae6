#include <unistd.h>

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

// Sanitizers replace the heap.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("trim_heap returns memory to the kernel below a block that is in use", "[base]") {
  constexpr std::size_t kBlock = 1024;
  constexpr std::size_t kBlocks = 32 * 1024;
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t i = 0; i < kBlocks; ++i) blocks.push_back(std::make_unique<char[]>(kBlock));
  const auto stays = std::make_unique<char[]>(kBlock);
  blocks.clear();
  const std::size_t before = resident_bytes();
  lvmd::trim_heap();
  CHECK(resident_bytes() + kBlocks * kBlock / 2 < before);
}
#endif
