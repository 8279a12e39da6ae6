// lvmd-observer: reads one volume group and sends its changes to the server. Started by lvmd.
#include <unistd.h>

#include "lvmd/ipc/program.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/volumes/observer/observer_loop.hpp"

namespace lvmd::volumes::observer {
namespace {

Status serve() {
  ipc::Channel control{UniqueFd{STDIN_FILENO}};
  auto frame = control.receive<internal::ControlFrame>();
  if (!frame) return std::unexpected(frame.error());
  if (!*frame) return {};
  auto& [message, fds] = **frame;
  if (!message.has_observer() || fds.size() != 1)
    return fail(Code::kInternal, "the first control frame is not an observer's setup");
  ipc::require_version(message.observer().version());
  auto uevents = devmapper::UeventListener::open();
  if (!uevents) return std::unexpected(uevents.error());
  auto pv_watch = devmapper::PvWatch::open();
  if (!pv_watch) return std::unexpected(pv_watch.error());
  ObserverLoop loop{message.observer(), std::move(control), ipc::Channel{std::move(fds[0])},
                    std::move(*uevents), std::move(*pv_watch)};
  return loop.run();
}

}  // namespace
}  // namespace lvmd::volumes::observer

int main(int argc, char** argv) {
  return lvmd::ipc::run_main(
      argc, argv,
      {.name = "lvmd-observer",
       .help = "lvmd-observer is started by lvmd, one for each volume group. See lvmd(8).\n"},
      &lvmd::volumes::observer::serve);
}
