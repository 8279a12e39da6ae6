#include "lvmd/transfers/mover/sandbox.hpp"

#include <fcntl.h>
#include <fmt/format.h>
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
#include <filesystem>
#include <system_error>

#include "lvmd/transfers/mover/restic_command.hpp"

namespace lvmd::transfers::mover {
namespace {

namespace fs = std::filesystem;

// The mount point of the new root. /mnt exists on every host, and the mount is in the mover's
// namespace only.
constexpr const char* kStage = "/mnt";

constexpr std::array kPrograms{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
constexpr std::array kConfiguration{
    "/etc/ssl",         "/etc/pki",         "/etc/ca-certificates", "/etc/crypto-policies",
    "/etc/resolv.conf", "/etc/hosts",       "/etc/nsswitch.conf",   "/etc/passwd",
    "/etc/group",       "/etc/ld.so.cache", "/etc/mke2fs.conf"};
constexpr std::array kDeviceNodes{"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                  "/dev/urandom"};

constexpr std::uint64_t kReadOnly = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
constexpr std::uint64_t kData = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;

Status restrict_mount(const std::string& path, std::uint64_t attributes) {
  mount_attr change{};
  change.attr_set = attributes;
  if (::mount_setattr(AT_FDCWD, path.c_str(), AT_RECURSIVE, &change, sizeof change) == 0) return {};
  return fail_errno(errno, fmt::format("restrict the mount {}", path));
}

// Bind-mounts `from` at `to`, including the mounts below it. Creates `to`.
Status show(const std::string& from, const std::string& to, std::uint64_t attributes) {
  std::error_code error;
  if (fs::is_directory(from, error)) {
    fs::create_directories(to, error);
  } else {
    fs::create_directories(fs::path{to}.parent_path(), error);
    const UniqueFd file{::open(to.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)};
    if (!file) return fail_errno(errno, to);
  }
  if (error) return fail(Code::kInternal, "{}: {}", to, error.message());
  if (::mount(from.c_str(), to.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
    return fail_errno(errno, fmt::format("show {} in the sandbox", from));
  return attributes == 0 ? Status{} : restrict_mount(to, attributes);
}

std::string staged(std::string_view path) { return fmt::format("{}{}", kStage, path); }

// Shows a path of the host if it exists. /bin and similar may be directories or links into /usr.
Status show_if_there(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_symlink(status) && fs::path{path}.parent_path() == "/") {
    fs::create_symlink(fs::read_symlink(path, error), staged(path), error);
    return error ? Status{fail(Code::kInternal, "{}: {}", path, error.message())} : Status{};
  }
  // A dangling link counts as missing.
  if (!fs::exists(path, error)) return {};
  return show(path, staged(path), kReadOnly);
}

Status make_temporary_folder(std::uint64_t bytes) {
  const std::string path = staged(kTemporaryPath);
  std::error_code error;
  fs::create_directory(path, error);
  if (error) return fail(Code::kInternal, "{}: {}", kTemporaryPath, error.message());
  if (::mount("tmpfs", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
              fmt::format("mode=0700,size={}", bytes).c_str()) != 0)
    return fail_errno(errno, "mount the folder of restic's temporary files");
  return {};
}

Status build_root(const SandboxPlan& plan, const UniqueFd& cache) {
  if (::mount("tmpfs", kStage, "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755,size=1m") != 0)
    return fail_errno(errno, "mount the sandbox's root");
  for (const char* const path : kPrograms)
    if (auto done = show_if_there(path); !done) return done;
  for (const char* const path : kConfiguration)
    if (auto done = show_if_there(path); !done) return done;
  for (const char* const path : kDeviceNodes)
    if (auto done = show(path, staged(path), 0); !done) return done;
  if (!plan.device_path.empty())
    if (auto done = show(plan.device_path, staged(kDevicePath), 0); !done) return done;
  if (auto done = show("/proc", staged("/proc"), kReadOnly | MOUNT_ATTR_NOEXEC); !done) return done;
  if (auto done = show(plan.restic_path, staged(kResticPath), kReadOnly); !done) return done;
  const auto show_open = [](const UniqueFd& directory, std::string_view path) {
    return show(fmt::format("/proc/self/fd/{}", directory.get()), staged(path), kData);
  };
  if (auto done = show_open(cache, kCachePath); !done) return done;
  if (plan.temporary_memory > 0)
    if (auto done = make_temporary_folder(plan.temporary_memory); !done) return done;
  if (plan.repository)
    if (auto done = show_open(plan.repository, kRepositoryPath); !done) return done;
  std::error_code error;
  fs::create_directory(staged(kVolumePath), error);
  if (error) return fail(Code::kInternal, "{}: {}", kVolumePath, error.message());
  return {};
}

// pivot_root stacks the old root on the new one; it is unmounted afterwards.
Status make_root() {
  if (::chdir(kStage) != 0) return fail_errno(errno, kStage);
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return fail_errno(errno, "pivot_root");
  if (::umount2(".", MNT_DETACH) != 0) return fail_errno(errno, "leave the host's files");
  if (::chdir("/") != 0) return fail_errno(errno, "/");
  mount_attr change{};
  change.attr_set = MOUNT_ATTR_RDONLY;
  if (::mount_setattr(AT_FDCWD, "/", 0, &change, sizeof change) != 0)
    return fail_errno(errno, "make the sandbox's root read-only");
  return {};
}

}  // namespace

Status harden_process() {
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return fail_errno(errno, "PR_SET_DUMPABLE");
  // Not 0: a limit of 1 also prevents the kernel from piping a core dump into a program, core(5).
  const rlimit none{.rlim_cur = 1, .rlim_max = 1};
  if (::setrlimit(RLIMIT_CORE, &none) != 0) return fail_errno(errno, "RLIMIT_CORE");
  // Programs that run later must not inherit descriptors that this process inherited.
  if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0)
    return fail_errno(errno, "close_range");
  ::umask(0077);
  return {};
}

Status leave_host(bool network) {
  if (::unshare(CLONE_NEWNS | CLONE_NEWIPC | (network ? 0 : CLONE_NEWNET)) != 0)
    return fail_errno(errno, "unshare mount, IPC and network namespaces");
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return fail_errno(errno, "make the mounts private");
  return {};
}

Status enter_sandbox(const SandboxPlan& plan) {
  std::error_code error;
  fs::create_directories(plan.cache_directory, error);
  // Opened first, because the stage may hide the path.
  const UniqueFd cache{::open(plan.cache_directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (!cache) return fail_errno(errno, plan.cache_directory);
  if (auto done = build_root(plan, cache); !done) return done;
  return make_root();
}

}  // namespace lvmd::transfers::mover
