// The memory of a process that suspends devices.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "lvmd/lvm/memory_lock.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;

namespace {

constexpr std::size_t kBytes = kMiB;
constexpr std::size_t kPages = kBytes / 4096;

// In kB.
std::uint64_t locked_memory(const std::string& pid) {
  return std::stoull(output_of("awk '/^VmLck/ { print $2 }' /proc/" + pid + "/status"));
}

class Mapping {
 public:
  Mapping()
      : address_(
            ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    REQUIRE(address_ != MAP_FAILED);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() { ::munmap(address_, kBytes); }

  [[nodiscard]] void* address() const { return address_; }
  [[nodiscard]] std::size_t resident_pages() const {
    std::array<unsigned char, kPages> pages{};
    REQUIRE(::mincore(address_, kBytes, pages.data()) == 0);
    std::size_t count = 0;
    for (const unsigned char page : pages) count += page & 1U;
    return count;
  }

 private:
  void* address_;
};

}  // namespace

TEST_CASE("the memory is locked once for successive commands of LVM [P-RUN-27]", "[system]") {
  const std::string self = std::to_string(::getpid());
  const Mapping memory;
  REQUIRE(locked_memory(self) == 0);
  lvmd::lvm::keep_memory_locked();
  CHECK(locked_memory(self) == 0);

  // LVM locks one mapping after another.
  const Mapping second;
  for (const Mapping* const mapping : {&memory, &second}) {
    REQUIRE(::mlock(mapping->address(), kBytes) == 0);
    CHECK(mapping->resident_pages() == kPages);
  }
  const std::uint64_t locked = locked_memory(self);
  CHECK(locked > 2 * kBytes / 1024);
  REQUIRE(::munlock(memory.address(), kBytes) == 0);
  REQUIRE(::munlock(second.address(), kBytes) == 0);
  CHECK(locked_memory(self) == locked);
  REQUIRE(::mlock(memory.address(), kBytes) == 0);
  REQUIRE(::munlock(memory.address(), kBytes) == 0);
  CHECK(locked_memory(self) == locked);

  // Later memory is locked when it is used.
  const std::uint64_t before = locked_memory(self);
  {
    const Mapping later;
    CHECK(locked_memory(self) >= before + kBytes / 1024);
    CHECK(later.resident_pages() == 0);
  }
  lvmd::lvm::unlock_memory();
  CHECK(locked_memory(self) == 0);
  const Mapping unlocked;
  CHECK(locked_memory(self) == 0);
}

TEST_CASE("a worker's memory stays locked after a change until the worker rests [P-RUN-27]",
          "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, kExtent)).ok());
  const std::string worker = std::to_string(pid_of("lvmd-worker vg_thick"));
  std::int64_t size = kExtent;
  // On a busy machine, the worker may rest before its memory is read.
  CHECK(eventually([&] {
    size += kExtent;
    // LVM suspends a volume that grows.
    REQUIRE(scratch.client.resize(resize_request("thick", name, size)).ok());
    return locked_memory(worker) > 0;
  }));
  CHECK(eventually([&] { return locked_memory(worker) == 0; }));
}
