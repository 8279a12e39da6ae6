// Notifications to systemd (sd_notify). They do nothing when systemd did not start lvmd.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace lvmd::supervisor {

// Sends READY=1 with the line that `systemctl status` shows.
void notify_ready(std::string_view status);

// Sends RELOADING=1 with the current time. notify_ready() ends the reload.
void notify_reloading();

void notify_stopping();

// Sets the line that `systemctl status` shows.
void notify_status(std::string_view status);

void notify_watchdog();

// The interval within which systemd expects notify_watchdog(). Absent when the watchdog is off.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace lvmd::supervisor
