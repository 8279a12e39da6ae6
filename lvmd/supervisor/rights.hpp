// The rights of each process of lvmd: capabilities, system calls, and the order in which the kernel
// kills them when memory is exhausted. docs/security.md has the same table.
//
// lvmd.service bounds all of them: a process has no right that the unit does not have.
#pragma once

#include <linux/capability.h>

#include <array>
#include <cstdint>

namespace lvmd::supervisor {

// The bit of a capability (CAP_CHOWN) in a set, as in the kernel and systemd.
[[nodiscard]] constexpr std::uint64_t capability_bit(unsigned capability) {
  return std::uint64_t{1} << capability;
}

template <typename... Capability>
[[nodiscard]] constexpr std::uint64_t capability_set(Capability... capability) {
  return (capability_bit(static_cast<unsigned>(capability)) | ...);
}

// oom_score_adj, from -1000 to 1000. The server can be restarted without loss. The kernel should
// not kill a process during an LVM command or a mount.
inline constexpr int kEndedFirst = 500;
inline constexpr int kEndedInTurn = 0;
inline constexpr int kEndedLast = -900;

struct Rights {
  // The bounding set, which limits the capabilities of programs that root executes.
  std::uint64_t capabilities = 0;
  // If set, no_new_privs prevents programs that the process starts from gaining capabilities, and
  // the process's own capabilities are limited to these from the start.
  bool strict = true;
  int oom_score = kEndedInTurn;
};

// lvmd-server has its own account (sandbox.hpp) and no capability.
inline constexpr Rights kServerRights{.capabilities = 0, .oom_score = kEndedFirst};

// SYS_ADMIN for device-mapper's ioctls. DAC_OVERRIDE because device nodes belong to root:disk.
// LVM's report takes LVM's locks with the same two. SYS_NICE, IPC_LOCK and SYS_RESOURCE because LVM
// raises its priority and locks its memory.
inline constexpr Rights kObserverRights{
    .capabilities = capability_set(CAP_SYS_ADMIN, CAP_DAC_OVERRIDE, CAP_SYS_NICE, CAP_IPC_LOCK,
                                   CAP_SYS_RESOURCE),
    .oom_score = kEndedInTurn};

// All capabilities of the unit except those that only a mounter needs.
inline constexpr Rights kWorkerRights{
    .capabilities = ~capability_set(CAP_SYS_CHROOT, CAP_SYS_PTRACE),
    .strict = false,
    .oom_score = kEndedLast};

// SYS_ADMIN, SYS_CHROOT and SYS_PTRACE to enter the mount namespace of PID 1; SYS_ADMIN also to
// mount, and to make a published device read-only (BLKROSET); SYS_PTRACE also to see the open files
// of other processes. DAC_OVERRIDE because device nodes belong to root:disk, and folders may belong
// to any user. SYS_RESOURCE because ext4 does not grow without it. mkfs and e2fsck need no others,
// nor does chmod of a directory that root owns.
inline constexpr Rights kMounterRights{
    .capabilities = capability_set(CAP_SYS_ADMIN, CAP_SYS_CHROOT, CAP_SYS_PTRACE, CAP_DAC_OVERRIDE,
                                   CAP_DAC_READ_SEARCH, CAP_SYS_RESOURCE),
    .oom_score = kEndedLast};

// A mover needs these until its mounts exist; then it drops more itself. systemd applies them.
inline constexpr Rights kMoverRights{
    .capabilities = capability_set(CAP_SYS_ADMIN, CAP_SYS_CHROOT, CAP_CHOWN, CAP_DAC_OVERRIDE,
                                   CAP_DAC_READ_SEARCH, CAP_FOWNER, CAP_FSETID, CAP_SETFCAP,
                                   CAP_MKNOD, CAP_SETUID, CAP_SETGID, CAP_SETPCAP),
    .oom_score = kEndedFirst};

// System calls that systemd denies to a mover, by systemd's group names (systemd.exec(5)).
inline constexpr std::array kMoverDeniedCalls{"@clock",    "@cpu-emulation", "@debug",  "@module",
                                              "@obsolete", "@raw-io",        "@reboot", "@swap"};

// System calls that seccomp denies to the server. Names are resolved at run time; those that the
// architecture lacks are skipped.
inline constexpr std::array kServerDeniedCalls{
    // the machine
    "mount", "umount2", "pivot_root", "chroot", "move_mount", "fsopen", "fsconfig", "fsmount",
    "open_tree", "mount_setattr", "swapon", "swapoff", "reboot", "kexec_load", "kexec_file_load",
    "init_module", "finit_module", "delete_module", "acct", "quotactl", "quotactl_fd",
    "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime", "sethostname",
    "setdomainname", "iopl", "ioperm", "syslog", "vhangup", "nfsservctl",
    // other processes and namespaces
    "ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "setns", "unshare",
    "process_madvise",
    // kernel surface
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter",
    "io_uring_register", "keyctl", "add_key", "request_key", "open_by_handle_at",
    "name_to_handle_at", "lookup_dcookie", "mknod", "mknodat", "personality", "modify_ldt",
    "uselib", "ustat", "sysfs", "_sysctl", "fanotify_init", "seccomp"};

}  // namespace lvmd::supervisor
