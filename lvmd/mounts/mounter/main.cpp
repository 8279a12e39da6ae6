// lvmd-mounter does one job with mounts (job.hpp) in the host's mount namespace. lvmd starts it.
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "lvmd/base/this_process.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/program.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/mounts/mounter/job.hpp"

namespace lvmd::mounts::mounter {
namespace {

constexpr std::string_view kHelp =
    R"(Usage: lvmd-mounter [--help | --version]

Mounts and unmounts volumes for lvmd, grows mounted file systems and returns how
full they are. lvmd starts one process for each job, with a control channel as
its standard input. Do not start this program yourself. See lvmd(8).
)";

constexpr const char* kOwnMounts = "/proc/self/ns/mnt";
constexpr const char* kHostMounts = "/proc/1/ns/mnt";

// Enters the host's mount namespace, which is that of PID 1: afterwards this process sees and makes
// the host's mounts, and its root and working directory are the host's [P-MOUNT-1]. Does nothing
// when the process is already in that namespace. The process must have a single thread.
Status enter_host_mounts() {
  const UniqueFd host{::open(kHostMounts, O_RDONLY | O_CLOEXEC)};
  if (!host) return fail_errno(errno, kHostMounts);
  struct stat theirs{};
  struct stat ours{};
  if (::fstat(host.get(), &theirs) != 0) return fail_errno(errno, kHostMounts);
  if (::stat(kOwnMounts, &ours) != 0) return fail_errno(errno, kOwnMounts);
  if (ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino) return {};
  if (::setns(host.get(), CLONE_NEWNS) != 0)
    return fail_errno(errno, "enter the host's mount namespace");
  return {};
}

Status serve() {
  // A running job is completed when lvmd stops.
  if (auto blocked = block_signals({SIGTERM, SIGINT, SIGHUP}); !blocked) return blocked;
  ipc::Channel control{UniqueFd{STDIN_FILENO}};
  const auto received = control.receive<internal::MountJob>();
  if (!received) return std::unexpected(received.error());
  // The supervisor has no job for this mounter, or has ended.
  if (!*received) return {};
  ipc::require_version((*received)->message.version());
  internal::MountReply reply;
  if (const auto entered = enter_host_mounts(); !entered)
    *reply.mutable_error() = ipc::to_proto(entered.error());
  else
    reply = run_job((*received)->message);
  // The server may have ended in the meantime. The result is in the kernel's mount table.
  if (const auto sent = control.send(reply); !sent && sent.error().code != Code::kUnavailable)
    return sent;
  return {};
}

}  // namespace
}  // namespace lvmd::mounts::mounter

int main(int argc, char** argv) {
  using namespace lvmd;
  return ipc::run_main(
      argc, argv,
      {.name = "lvmd-mounter", .help = mounts::mounter::kHelp, .started_by = "only lvmd"},
      &mounts::mounter::serve);
}
