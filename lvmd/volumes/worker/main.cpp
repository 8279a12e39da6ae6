// lvmd-worker: changes one volume group. Started by lvmd, never by hand.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/this_process.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/program.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/lvm/aio_context.hpp"
#include "lvmd/lvm/memory_lock.hpp"
#include "lvmd/state/vg_discovery.hpp"
#include "lvmd/volumes/worker/service_loop.hpp"
#include "lvmd/volumes/worker/vg_lock_file.hpp"

namespace lvmd::volumes::worker {
namespace {

// The interval of attempts to take the lock file, in milliseconds.
constexpr int kLockInterval = 200;
constexpr std::uint32_t kLockLimitSeconds = 5;

// Reports to the server and the supervisor that this worker waits.
void announce(ipc::Channel& control, ipc::Channel& server, const std::string& what) {
  internal::WorkerEvent event;
  event.mutable_busy()->set_command(what);
  event.mutable_busy()->set_since(monotonic_now().nanoseconds);
  event.mutable_busy()->set_limit_seconds(kLockLimitSeconds);
  internal::ChildEvent busy;
  *busy.mutable_busy() = event.busy();
  // await_lock() detects a closed channel.
  static_cast<void>(server.send(event));
  static_cast<void>(control.send(busy));
}

// Takes the group's lock file, and waits for it if a worker of an earlier lvmd still runs an LVM
// command (P-RUN-10). Absent if the supervisor or the server has ended.
Result<std::optional<UniqueFd>> await_lock(const internal::WorkerSetup& setup,
                                           ipc::Channel& control, ipc::Channel& server) {
  bool reported = false;
  for (;;) {
    auto lock = take_vg_lock_file(setup.runtime_directory(), setup.volume_group());
    if (!lock && lock.error().code != Code::kFailedPrecondition)
      return std::unexpected(lock.error());
    if (lock) {
      internal::WorkerEvent event;
      event.mutable_idle();
      internal::ChildEvent idle;
      idle.mutable_idle();
      if (reported && (!server.send(event) || !control.send(idle))) return std::nullopt;
      return std::optional{std::move(*lock)};
    }
    if (!std::exchange(reported, true)) {
      log::warning(fmt::format("{}: changes wait until that worker ends", lock.error().message),
                   {{log::kVg, setup.volume_group()}});
      announce(control, server, fmt::format("wait: {}", lock.error().message));
    }
    std::array<pollfd, 2> ends{{{.fd = control.fd(), .events = POLLRDHUP, .revents = 0},
                                {.fd = server.fd(), .events = POLLRDHUP, .revents = 0}}};
    if (::poll(ends.data(), ends.size(), kLockInterval) > 0) return std::nullopt;
  }
}

Status serve() {
  // A signal must not interrupt an LVM command. The worker stops when a channel closes.
  if (auto blocked = block_signals({SIGTERM, SIGINT, SIGHUP}); !blocked) return blocked;
  ipc::Channel control{UniqueFd{STDIN_FILENO}};
  auto frame = control.receive<internal::ControlFrame>();
  if (!frame) return std::unexpected(frame.error());
  if (!*frame) return {};
  auto& [message, fds] = **frame;
  if (!message.has_worker() || fds.size() != 1)
    return fail(Code::kInternal, "the first control frame is not a worker's setup");
  ipc::require_version(message.worker().version());
  const internal::WorkerSetup& setup = message.worker();
  auto catalog = ipc::from_proto(setup.catalog());
  if (!catalog) return std::unexpected(catalog.error());
  ipc::Channel server{std::move(fds[0])};
  const auto lock = await_lock(setup, control, server);
  if (!lock) return std::unexpected(lock.error());
  if (!*lock) return {};
  lvm::keep_aio_context();
  // Before LVM suspends a device, it allocates 10 MB, writes to each page, and locks the memory.
  keep_free_memory();
  lvm::keep_memory_locked();
  const std::filesystem::path runtime_directory{setup.runtime_directory()};
  const auto lvm =
      lvm::open_runner({setup.lvm_command_prefix().begin(), setup.lvm_command_prefix().end()},
                       runtime_directory / fmt::format("{}.lvm", setup.volume_group()));
  if (!lvm) return std::unexpected(lvm.error());
  auto intents = IntentLog::open(setup.state_directory(), setup.volume_group());
  if (!intents) return std::unexpected(intents.error());
  auto uevents = devmapper::UeventListener::open(devmapper::EventSource::kKernelAndUdev);
  if (!uevents) return std::unexpected(uevents.error());
  ServiceLoop loop{
      {.volume_group = setup.volume_group(),
       .catalog = std::move(*catalog),
       .lvm = state::lvm_program(setup),
       .lvm_path = setup.lvm_path(),
       .intents = std::move(*intents),
       .activated = {runtime_directory / fmt::format("{}.activated", setup.volume_group()),
                     read_boot_id()},
       .uevents = *std::move(uevents),
       .lvm_is_library = setup.lvm_command_prefix().empty()},
      **lvm,
      {.control = std::move(control), .server = std::move(server)}};
  return loop.run();
}

}  // namespace
}  // namespace lvmd::volumes::worker

int main(int argc, char** argv) {
  return lvmd::ipc::run_main(
      argc, argv,
      {.name = "lvmd-worker",
       .help = "lvmd-worker is started by lvmd, one for each volume group. See lvmd(8).\n"},
      &lvmd::volumes::worker::serve);
}
