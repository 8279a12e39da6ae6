// lvmd-worker: changes one volume group. Started by lvmd, never by hand.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/channel/convert.hpp"
#include "lvmd/worker/service_loop.hpp"
#include "lvmd/worker/vg_lock_file.hpp"

namespace lvmd::worker {
namespace {

// A stop waits for the running command: the channel's end says when to leave, signals don't.
void block_stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Status serve() {
  channel::Channel control{UniqueFd{STDIN_FILENO}};
  auto frame = control.receive<internal::ControlFrame>();
  if (!frame) return std::unexpected(frame.error());
  if (!*frame) return {};
  auto& [message, fds] = **frame;
  if (!message.has_worker() || fds.size() != 2)
    return fail(Code::kInternal, "the first control frame is not a worker's setup");
  const internal::WorkerSetup& setup = message.worker();
  auto catalog = channel::from_proto(setup.catalog());
  if (!catalog) return std::unexpected(catalog.error());
  const auto lock = take_vg_lock_file(setup.runtime_directory(), setup.volume_group());
  if (!lock) return std::unexpected(lock.error());
  const auto lvm =
      lvm::open_runner({setup.lvm_command_prefix().begin(), setup.lvm_command_prefix().end()});
  if (!lvm) return std::unexpected(lvm.error());
  auto intents = IntentLog::open(setup.state_directory(), setup.volume_group());
  if (!intents) return std::unexpected(intents.error());
  ServiceLoop loop{{.volume_group = setup.volume_group(),
                    .catalog = std::move(*catalog),
                    .lvm_path = setup.lvm_path(),
                    .intents = std::move(*intents)},
                   **lvm,
                   {.control = std::move(control),
                    .server = channel::Channel{std::move(fds[0])},
                    .observer = channel::Channel{std::move(fds[1])}}};
  return loop.run();
}

}  // namespace
}  // namespace lvmd::worker

int main(int argc, char** argv) {
  if (argc > 1) {
    const std::string_view argument{argv[1]};
    if (argument == "--version") return std::puts("lvmd-worker " LVMD_VERSION) < 0 ? 1 : 0;
    const char* const help =
        "lvmd-worker is started by lvmd, one for each volume group. See lvmd(8).";
    if (argument == "--help") return std::puts(help) < 0 ? 1 : 0;
    // "lvmd-worker <VG>": the argument is for ps(1) only.
  }
  lvmd::keep_one_heap();
  lvmd::log::init("lvmd-worker");
  lvmd::worker::block_stop_signals();
  try {
    const auto done = lvmd::worker::serve();
    if (done) return 0;
    lvmd::log::error(lvmd::describe(done.error()));
  } catch (const std::exception& unexpected) {
    lvmd::log::error(fmt::format("unexpected: {}", unexpected.what()));
  }
  return 1;
}
