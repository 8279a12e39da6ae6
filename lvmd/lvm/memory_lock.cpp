#include "lvmd/lvm/memory_lock.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace lvmd::lvm {
namespace {

struct MemoryLock {
  bool kept = false;
  bool held = false;
};

// mlock() and munlock() have no other access to it. The LVM library has one thread.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
MemoryLock memory;

// The second call concerns only future memory: all of a new thread's stack would be too much.
bool lock_all() {
  if (::mlockall(MCL_CURRENT) == 0 && ::mlockall(MCL_FUTURE | MCL_ONFAULT) == 0) return true;
  ::munlockall();
  return false;
}

}  // namespace

void keep_memory_locked() { memory.kept = true; }

void unlock_memory() {
  if (memory.held) ::munlockall();
  memory.held = false;
}

}  // namespace lvmd::lvm

// The dynamic linker finds these definitions before libc's, also for the program's libraries.
extern "C" __attribute__((visibility("default"))) int mlock(const void* address,
                                                            std::size_t size) noexcept {
  using lvmd::lvm::memory;
  if (memory.kept && !memory.held) memory.kept = memory.held = lvmd::lvm::lock_all();
  return memory.held ? 0 : static_cast<int>(::syscall(SYS_mlock, address, size));
}

extern "C" __attribute__((visibility("default"))) int munlock(const void* address,
                                                              std::size_t size) noexcept {
  return lvmd::lvm::memory.held ? 0 : static_cast<int>(::syscall(SYS_munlock, address, size));
}
