#include "lvmd/supervisor/sandbox.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <span>
#include <string>

#include "lvmd/base/log.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/supervisor/syscall_filter.hpp"

namespace lvmd::supervisor {
namespace {

// The mount point on which the new /dev is assembled. It exists on every host; the mount stays in
// this namespace.
constexpr const char* kStage = "/mnt";
constexpr std::array<const char*, 5> kDeviceNodes{"null", "zero", "full", "random", "urandom"};

// The memory limit of the server. Buffers for callers are bounded within it [P-SOCK-25]; the limit
// is a safeguard, and beyond it the server aborts. It includes the stacks of threads, which are
// smaller than by default because there are two threads per volume group.
constexpr rlim_t kServerData = rlim_t{1} << 30U;
constexpr rlim_t kServerStack = rlim_t{1} << 20U;

// A lower score than the parent's needs CAP_SYS_RESOURCE, which a container may lack. lvmd works
// without it.
void set_oom_score(int score) {
  const std::string text = fmt::format("{}", score);
  const UniqueFd file{::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)};
  if (!file || ::write(file.get(), text.data(), text.size()) < 0)
    log::notice(fmt::format("oom_score_adj can't be set: {}",
                            errno_error(errno, "/proc/self/oom_score_adj").message));
}

Status limit_memory(rlim_t data, rlim_t stack) {
  const rlimit data_limit{.rlim_cur = data, .rlim_max = data};
  if (::setrlimit(RLIMIT_DATA, &data_limit) != 0) return fail_errno(errno, "RLIMIT_DATA");
  const rlimit stack_limit{.rlim_cur = stack, .rlim_max = stack};
  if (::setrlimit(RLIMIT_STACK, &stack_limit) != 0) return fail_errno(errno, "RLIMIT_STACK");
  return {};
}

Status mount_or_fail(const char* source, const char* target, const char* type, unsigned long flags,
                     const char* data) {
  if (::mount(source, target, type, flags, data) == 0) return {};
  return fail_errno(errno, fmt::format("mount on {}", target));
}

// Mounts a /dev without block devices. It is assembled elsewhere, because the nodes come from the
// old /dev, and then moved to /dev.
Status minimal_dev() {
  // Not MS_PRIVATE: a volume mounted at this moment would stay mounted in this namespace, and so in
  // use, after the host has unmounted it.
  if (auto done = mount_or_fail(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr); !done)
    return done;
  if (auto done =
          mount_or_fail("tmpfs", kStage, "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755,size=64k");
      !done)
    return done;
  for (const char* const name : kDeviceNodes) {
    const std::string from = fmt::format("/dev/{}", name);
    const std::string to = fmt::format("{}/{}", kStage, name);
    const UniqueFd file{::open(to.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644)};
    if (!file) return fail_errno(errno, to);
    if (auto done = mount_or_fail(from.c_str(), to.c_str(), nullptr, MS_BIND, nullptr); !done)
      return done;
  }
  if (auto done = mount_or_fail(kStage, "/dev", nullptr, MS_MOVE, nullptr); !done) return done;
  return mount_or_fail(nullptr, "/dev", nullptr, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NOEXEC,
                       nullptr);
}

// Drops all capabilities except `keep` from the bounding set; not even an exec restores them.
Status bound_capabilities(std::uint64_t keep) {
  for (unsigned capability = 0; capability <= CAP_LAST_CAP; ++capability) {
    if ((keep >> capability & 1U) != 0) continue;
    // EINVAL: this kernel does not have the capability.
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL)
      return fail_errno(errno, fmt::format("dropping capability {}", capability));
  }
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0)
    return fail_errno(errno, "clearing ambient capabilities");
  return {};
}

// A container may have given lvmd fewer capabilities: a child keeps no more than lvmd has.
Status set_capabilities(std::uint64_t keep) {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return fail_errno(errno, "capget");
  for (__user_cap_data_struct& word : data) {
    const auto bits = static_cast<std::uint32_t>(keep) & word.permitted;
    word = {.effective = bits, .permitted = bits, .inheritable = 0};
    keep >>= 32U;
  }
  if (::syscall(SYS_capset, &header, data.data()) != 0) return fail_errno(errno, "capset");
  return {};
}

Status no_new_privileges() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail_errno(errno, "no_new_privs");
  return {};
}

Status become(const Account& account) {
  if (::setgroups(0, nullptr) != 0) return fail_errno(errno, "setgroups");
  if (::setresgid(account.gid, account.gid, account.gid) != 0)
    return fail_errno(errno, "setresgid");
  // Leaving uid 0 permanently clears the permitted and effective sets.
  if (::setresuid(account.uid, account.uid, account.uid) != 0)
    return fail_errno(errno, "setresuid");
  return {};
}

}  // namespace

Status confine_server(const Account& account) {
  if (::unshare(CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS) != 0)
    return fail_errno(errno, "unshare network, IPC and mount namespaces");
  if (auto done = minimal_dev(); !done) return done;
  set_oom_score(kServerRights.oom_score);
  if (auto done = limit_memory(kServerData, kServerStack); !done) return done;
  if (auto done = bound_capabilities(kServerRights.capabilities); !done) return done;
  if (auto done = become(account); !done) return done;
  if (auto done = no_new_privileges(); !done) return done;
  return filter_server_syscalls();
}

Status confine(const Rights& rights) {
  set_oom_score(rights.oom_score);
  if (auto done = bound_capabilities(rights.capabilities); !done) return done;
  if (!rights.strict) return {};
  if (auto done = set_capabilities(rights.capabilities); !done) return done;
  return no_new_privileges();
}

}  // namespace lvmd::supervisor
