#include "lvmd/transfers/mover/capabilities.hpp"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace lvmd::transfers::mover {
namespace {

constexpr Capabilities bit(unsigned capability) { return Capabilities{1} << capability; }

}  // namespace

Capabilities capabilities_for(v1::Operation operation) {
  if (operation == v1::OPERATION_BACKUP) return bit(CAP_DAC_READ_SEARCH);
  if (operation == v1::OPERATION_RESTORE)
    return bit(CAP_CHOWN) | bit(CAP_DAC_OVERRIDE) | bit(CAP_DAC_READ_SEARCH) | bit(CAP_FOWNER) |
           bit(CAP_FSETID) | bit(CAP_SETFCAP) | bit(CAP_MKNOD);
  return 0;
}

Status keep_only(Capabilities keep) {
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0)
    return fail_errno(errno, "clear the ambient capabilities");
  // At exec, root gets the capabilities in the bounding set.
  for (unsigned capability = 0; capability <= CAP_LAST_CAP; ++capability) {
    if ((keep >> capability & 1U) != 0) continue;
    // EINVAL: this kernel does not have the capability.
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL)
      return fail_errno(errno, fmt::format("drop capability {}", capability));
  }
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return fail_errno(errno, "capget");
  for (unsigned word = 0; word < data.size(); ++word) {
    const auto kept = static_cast<std::uint32_t>(keep >> (32 * word)) & data[word].permitted;
    data[word] = {.effective = kept, .permitted = kept, .inheritable = 0};
  }
  if (::syscall(SYS_capset, &header, data.data()) != 0) return fail_errno(errno, "capset");
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail_errno(errno, "no_new_privs");
  return {};
}

}  // namespace lvmd::transfers::mover
