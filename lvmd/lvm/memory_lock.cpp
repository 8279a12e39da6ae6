#include "lvmd/lvm/memory_lock.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace lvmd::lvm {
namespace {

struct MemoryLock {
  bool kept = false;
  // The kernel locks all memory as soon as it is used.
  bool begun = false;
  // LVM has locked its mappings, and has ended its command.
  bool held = false;
};

// mlock() and munlock() have no other access to it. The LVM library has one thread.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
MemoryLock memory;

}  // namespace

void keep_memory_locked() { memory.kept = true; }

void unlock_memory() {
  if (memory.begun) ::munlockall();
  memory.begun = memory.held = false;
}

}  // namespace lvmd::lvm

// The dynamic linker finds these definitions before libc's, also for the program's libraries.
extern "C" __attribute__((visibility("default"))) int lock_pages(const void* address,
                                                                 std::size_t size) noexcept
    __asm__("mlock");
extern "C" __attribute__((visibility("default"))) int unlock_pages(const void* address,
                                                                   std::size_t size) noexcept
    __asm__("munlock");

int lock_pages(const void* address, std::size_t size) noexcept {
  using lvmd::lvm::memory;
  if (memory.held) return 0;
  if (memory.kept && !memory.begun)
    memory.kept = memory.begun = ::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
  return static_cast<int>(::syscall(SYS_mlock, address, size));
}

int unlock_pages(const void* address, std::size_t size) noexcept {
  using lvmd::lvm::memory;
  memory.held = memory.begun;
  return memory.held ? 0 : static_cast<int>(::syscall(SYS_munlock, address, size));
}
