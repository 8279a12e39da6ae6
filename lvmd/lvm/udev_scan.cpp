#include "lvmd/lvm/udev_scan.hpp"

#include <dlfcn.h>
#include <libdevmapper.h>
#include <linux/dm-ioctl.h>
#include <sys/ioctl.h>

#include <cstdarg>

namespace lvmd::lvm {
namespace {

// ioctl() below has no other access to it. It changes only while the process has one thread.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
bool suppressed = false;

// The kernel passes these bits to udev in the event of a resume, as DM_COOKIE.
void add_flag(dm_ioctl& request) {
  if ((request.flags & DM_SUSPEND_FLAG) == 0)
    request.event_nr |= DM_SUBSYSTEM_UDEV_FLAG0 << DM_UDEV_FLAGS_SHIFT;
}

}  // namespace

WithoutUdevScan::WithoutUdevScan() { suppressed = true; }
WithoutUdevScan::~WithoutUdevScan() { suppressed = false; }

}  // namespace lvmd::lvm

// The dynamic linker finds this definition before libc's, also for the program's libraries.
extern "C" __attribute__((visibility("default"))) int ioctl(int fd, unsigned long request,
                                                            ...) noexcept {
  using Ioctl = int (*)(int, unsigned long, void*);
  static const auto kNext = reinterpret_cast<Ioctl>(::dlsym(RTLD_NEXT, "ioctl"));
  std::va_list arguments;
  va_start(arguments, request);
  void* const argument = va_arg(arguments, void*);
  va_end(arguments);
  if (lvmd::lvm::suppressed && request == DM_DEV_SUSPEND)
    lvmd::lvm::add_flag(*static_cast<dm_ioctl*>(argument));
  return kNext(fd, request, argument);
}
