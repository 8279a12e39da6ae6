#include "lvmd/lvm/aio_context.hpp"

#include <linux/aio_abi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace lvmd::lvm {
namespace {

struct Kept {
  bool enabled = false;
  // 0: none yet.
  aio_context_t context = 0;
  // The number of events that the context was made for.
  int events = 0;
  bool in_use = false;
};

// io_setup() and io_destroy() have no other access to it. The LVM library has one thread.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
Kept kept;

// As libaio: 0, or the error as a negative number.
int result(long done) { return done == 0 ? 0 : -errno; }

}  // namespace

void keep_aio_context() { kept.enabled = true; }

}  // namespace lvmd::lvm

// The dynamic linker finds these definitions before libaio's, also for the program's libraries.
extern "C" __attribute__((visibility("default"))) int io_setup(int events, aio_context_t* context) {
  using lvmd::lvm::kept;
  if (kept.context != 0 && !kept.in_use && events <= kept.events) {
    kept.in_use = true;
    *context = kept.context;
    return 0;
  }
  const int done = lvmd::lvm::result(::syscall(SYS_io_setup, events, context));
  if (done == 0 && kept.enabled && kept.context == 0)
    kept = {.enabled = true, .context = *context, .events = events, .in_use = true};
  return done;
}

extern "C" __attribute__((visibility("default"))) int io_destroy(aio_context_t context) {
  using lvmd::lvm::kept;
  if (kept.context != 0 && context == kept.context) {
    kept.in_use = false;
    return 0;
  }
  return lvmd::lvm::result(::syscall(SYS_io_destroy, context));
}
