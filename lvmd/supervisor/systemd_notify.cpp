#include "lvmd/supervisor/systemd_notify.hpp"

#include <fmt/format.h>
#include <systemd/sd-daemon.h>

#include <cstdint>
#include <string>

#include "lvmd/base/clock.hpp"

namespace lvmd::supervisor {
namespace {

void notify(const std::string& lines) {
  // Without systemd the call does nothing. With it, a lost message leads to a time-out of systemd.
  static_cast<void>(sd_notify(/*unset_environment=*/0, lines.c_str()));
}

// The value of STATUS= is one line.
std::string one_line(std::string_view text) { return std::string{text.substr(0, text.find('\n'))}; }

}  // namespace

void notify_ready(std::string_view status) {
  notify(fmt::format("READY=1\nSTATUS={}", one_line(status)));
}

void notify_reloading() {
  notify(fmt::format("RELOADING=1\nMONOTONIC_USEC={}\nSTATUS=reloading lvmd.yaml",
                     monotonic_now().nanoseconds / 1000));
}

void notify_stopping() { notify("STOPPING=1"); }

void notify_status(std::string_view status) { notify(fmt::format("STATUS={}", one_line(status))); }

void notify_watchdog() { notify("WATCHDOG=1"); }

std::optional<std::chrono::microseconds> watchdog_interval() {
  std::uint64_t interval = 0;
  if (sd_watchdog_enabled(/*unset_environment=*/0, &interval) <= 0) return std::nullopt;
  return std::chrono::microseconds{interval};
}

}  // namespace lvmd::supervisor
