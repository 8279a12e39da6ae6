// lvmd-observer: reads one volume group and sends its changes to the server. Started by lvmd.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/process_name.hpp"
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
  if (argc > 1) {
    const std::string_view argument{argv[1]};
    if (argument == "--version") return std::puts("lvmd-observer " LVMD_VERSION) < 0 ? 1 : 0;
    const char* const help =
        "lvmd-observer is started by lvmd, one for each volume group. See lvmd(8).";
    if (argument == "--help") return std::puts(help) < 0 ? 1 : 0;
    // "lvmd-observer <VG>": the argument is for ps(1) only.
  }
  lvmd::name_process("lvmd-observer");
  lvmd::keep_one_heap();
  lvmd::log::init("lvmd-observer");
  try {
    const auto done = lvmd::volumes::observer::serve();
    if (done) return 0;
    lvmd::log::error(lvmd::describe(done.error()));
  } catch (const std::exception& unexpected) {
    lvmd::log::error(fmt::format("unexpected: {}", unexpected.what()));
  }
  return 1;
}
