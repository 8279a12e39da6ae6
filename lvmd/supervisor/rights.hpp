// What each process of lvmd may do: capabilities, system calls, and when the kernel ends it for
// lack of memory. docs/architecture.md has the same table for people.
//
// lvmd.service bounds all of them: a process has no right that the unit does not have.
#pragma once

#include <linux/capability.h>

#include <array>
#include <cstdint>

namespace lvmd::supervisor {

// A capability (CAP_CHOWN) in a set, as the kernel and systemd number them.
[[nodiscard]] constexpr std::uint64_t capability_bit(unsigned capability) {
  return std::uint64_t{1} << capability;
}

template <typename... Capability>
[[nodiscard]] constexpr std::uint64_t capability_set(Capability... capability) {
  return (capability_bit(static_cast<unsigned>(capability)) | ...);
}

// oom_score_adj, from -1000 to 1000. A server is started again and has lost nothing; nothing may
// end a process inside an LVM command or a mount.
inline constexpr int kEndedFirst = 500;
inline constexpr int kEndedInTurn = 0;
inline constexpr int kEndedLast = -900;

struct Rights {
  // The bounding set, from which an exec of root takes its capabilities.
  std::uint64_t capabilities = 0;
  // Programs that the process starts gain no capability either (no_new_privs), and the process has
  // no other capability than these from the start.
  bool strict = true;
  int oom_score = kEndedInTurn;
};

// lvmd-server has an account of its own (sandbox.hpp) and no capability.
inline constexpr Rights kServerRights{.capabilities = 0, .oom_score = kEndedFirst};

// SYS_ADMIN: device-mapper's ioctls need it. DAC_OVERRIDE: device nodes belong to root:disk. LVM's
// report takes LVM's locks with the same two; LVM raises its priority and locks its memory.
inline constexpr Rights kObserverRights{
    .capabilities = capability_set(CAP_SYS_ADMIN, CAP_DAC_OVERRIDE, CAP_SYS_NICE, CAP_IPC_LOCK,
                                   CAP_SYS_RESOURCE),
    .oom_score = kEndedInTurn};

// What the unit leaves to root, without what only a mounter needs.
inline constexpr Rights kWorkerRights{
    .capabilities = ~capability_set(CAP_SYS_CHROOT, CAP_SYS_PTRACE),
    .strict = false,
    .oom_score = kEndedLast};

// SYS_ADMIN, SYS_CHROOT and SYS_PTRACE: to enter PID 1's mount namespace. SYS_ADMIN mounts,
// SYS_PTRACE sees what other processes have open. DAC_OVERRIDE: device nodes belong to root:disk,
// and any user may own a folder. SYS_RESOURCE: ext4 does not grow without it.
inline constexpr Rights kMounterRights{
    .capabilities = capability_set(CAP_SYS_ADMIN, CAP_SYS_CHROOT, CAP_SYS_PTRACE, CAP_DAC_OVERRIDE,
                                   CAP_DAC_READ_SEARCH, CAP_SYS_RESOURCE),
    .oom_score = kEndedLast};

// A mover needs these until it has its mounts; then it drops more by itself. systemd applies them.
inline constexpr Rights kMoverRights{
    .capabilities = capability_set(CAP_SYS_ADMIN, CAP_SYS_CHROOT, CAP_CHOWN, CAP_DAC_OVERRIDE,
                                   CAP_DAC_READ_SEARCH, CAP_FOWNER, CAP_FSETID, CAP_SETFCAP,
                                   CAP_MKNOD, CAP_SETUID, CAP_SETGID, CAP_SETPCAP),
    .oom_score = kEndedFirst};

// System calls of a mover that systemd denies, by its names for groups of them (systemd.exec(5)).
inline constexpr std::array kMoverDeniedCalls{"@clock",    "@cpu-emulation", "@debug",  "@module",
                                              "@obsolete", "@raw-io",        "@reboot", "@swap"};

// System calls of the server that seccomp denies. Names are resolved at run time: one that the
// architecture lacks is passed over.
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
