// lvmd-mounter does one job with mounts (job.hpp) in the host's mount namespace. lvmd starts it.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "lvmd/base/log.hpp"
#include "lvmd/base/process_name.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/mounts/mounter/host_mounts.hpp"
#include "lvmd/mounts/mounter/job.hpp"

namespace lvmd::mounts::mounter {
namespace {

constexpr int kUsageError = 2;

constexpr std::string_view kHelp =
    R"(Usage: lvmd-mounter [--help | --version]

Mounts and unmounts volumes for lvmd, grows mounted file systems and returns how
full they are. lvmd starts one process for each job, with a control channel as
its standard input. Do not start this program yourself. See lvmd(8).
)";

// A running job is completed when lvmd stops.
void block_stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

Status serve() {
  ipc::Channel control{UniqueFd{STDIN_FILENO}};
  const auto received = control.receive<internal::MountJob>();
  if (!received) return std::unexpected(received.error());
  // The supervisor ended before it sent a job.
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
  using lvmd::mounts::mounter::kUsageError;
  if (argc > 1) {
    const std::string_view argument{argv[1]};
    if (argc == 2 && argument == "--help")
      return std::fputs(lvmd::mounts::mounter::kHelp.data(), stdout) < 0;
    if (argc == 2 && argument == "--version") return std::puts("lvmd-mounter " LVMD_VERSION) < 0;
    fmt::print(stderr, "lvmd-mounter: unknown argument \"{}\"; see lvmd-mounter --help\n",
               argv[argc > 2 && (argument == "--help" || argument == "--version") ? 2 : 1]);
    return kUsageError;
  }
  if (!lvmd::ipc::is_socket(STDIN_FILENO)) {
    fmt::print(
        stderr,
        "lvmd-mounter: standard input is not a control channel: only lvmd starts this program; see "
        "lvmd-mounter --help\n");
    return kUsageError;
  }
  lvmd::name_process("lvmd-mounter");
  lvmd::log::init("lvmd-mounter");
  lvmd::mounts::mounter::block_stop_signals();
  try {
    const auto done = lvmd::mounts::mounter::serve();
    if (done) return 0;
    lvmd::log::error(lvmd::describe(done.error()));
  } catch (const std::exception& unexpected) {
    lvmd::log::error(fmt::format("unexpected: {}", unexpected.what()));
  }
  return 1;
}
