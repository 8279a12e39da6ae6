#include "lvmd/lvm/udev_wait.hpp"

#include <sys/sem.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <ctime>

namespace lvmd::lvm {
namespace {

// semop() below has no other access to it.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<unsigned> ended{0};

}  // namespace

unsigned udev_waits_ended() { return ended; }

}  // namespace lvmd::lvm

// The dynamic linker finds this definition before libc's, also for the program's libraries.
// The C library declares it with other parameter names.
// NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name)
extern "C" __attribute__((visibility("default"))) int semop(int semaphores, sembuf* operations,
                                                            std::size_t count) noexcept {
  // libdevmapper waits for udev only with "wait until the semaphore is 0".
  const bool waits = count == 1 && operations->sem_op == 0;
  const std::timespec limit{.tv_sec = lvmd::lvm::kUdevLimit.count(), .tv_nsec = 0};
  const int done = ::semtimedop(semaphores, operations, count, waits ? &limit : nullptr);
  if (done == 0 || !waits || errno != EAGAIN || (operations->sem_flg & IPC_NOWAIT) != 0)
    return done;
  ++lvmd::lvm::ended;
  return 0;
}
