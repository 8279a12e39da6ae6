// What systemd is told of lvmd (sd_notify): nothing when lvmd wasn't started by it.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace lvmd::supervisor {

// READY=1, with the line that `systemctl status` shows.
void notify_ready(std::string_view status);

// RELOADING=1, since now; notify_ready() ends it.
void notify_reloading();

void notify_stopping();

// The line that `systemctl status` shows.
void notify_status(std::string_view status);

void notify_watchdog();

// How often systemd wants the watchdog's sign; absent when it wants none.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace lvmd::supervisor
