#include "lvmd/mounts/mounter/host_mounts.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>

#include <cerrno>

#include "lvmd/base/unique_fd.hpp"

namespace lvmd::mounts::mounter {
namespace {

constexpr const char* kOwn = "/proc/self/ns/mnt";
constexpr const char* kHost = "/proc/1/ns/mnt";

}  // namespace

Status enter_host_mounts() {
  const UniqueFd host{::open(kHost, O_RDONLY | O_CLOEXEC)};
  if (!host) return fail_errno(errno, kHost);
  struct stat theirs{};
  struct stat ours{};
  if (::fstat(host.get(), &theirs) != 0) return fail_errno(errno, kHost);
  if (::stat(kOwn, &ours) != 0) return fail_errno(errno, kOwn);
  if (ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino) return {};
  if (::setns(host.get(), CLONE_NEWNS) != 0)
    return fail_errno(errno, "enter the host's mount namespace");
  return {};
}

}  // namespace lvmd::mounts::mounter
