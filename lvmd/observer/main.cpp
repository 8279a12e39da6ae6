// lvmd-observer: reads volume groups and tells the server what changes. Started by lvmd.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/observer/observer_loop.hpp"

namespace lvmd::observer {
namespace {

Status serve() {
  channel::Channel control{UniqueFd{STDIN_FILENO}};
  auto frame = control.receive<internal::ControlFrame>();
  if (!frame) return std::unexpected(frame.error());
  if (!*frame) return {};
  auto& [message, fds] = **frame;
  if (!message.has_observer() || fds.size() != 1)
    return fail(Code::kInternal, "the first control frame is not an observer's setup");
  auto uevents = devmapper::UeventListener::open();
  if (!uevents) return std::unexpected(uevents.error());
  auto pv_watch = devmapper::PvWatch::open();
  if (!pv_watch) return std::unexpected(pv_watch.error());
  ObserverLoop loop{message.observer(), std::move(control), channel::Channel{std::move(fds[0])},
                    std::move(*uevents), std::move(*pv_watch)};
  return loop.run();
}

}  // namespace
}  // namespace lvmd::observer

int main(int argc, char** argv) {
  if (argc > 1) {
    const std::string_view argument{argv[1]};
    const bool version = argument == "--version";
    return std::puts(version ? "lvmd-observer " LVMD_VERSION
                             : "lvmd-observer is started by lvmd. See lvmd(8).") < 0
               ? 1
               : 0;
  }
  lvmd::keep_one_heap();
  lvmd::log::init("lvmd-observer");
  try {
    const auto done = lvmd::observer::serve();
    if (done) return 0;
    lvmd::log::error(lvmd::describe(done.error()));
  } catch (const std::exception& unexpected) {
    lvmd::log::error(fmt::format("unexpected: {}", unexpected.what()));
  }
  return 1;
}
