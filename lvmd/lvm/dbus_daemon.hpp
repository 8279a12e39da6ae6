// LVM's D-Bus daemon, lvmdbusd(8), which LVM commands notify of their changes.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace lvmd::lvm {

// The folders of the system bus's policies. Tests replace them.
inline constexpr std::array<std::string_view, 2> kBusPolicies{"/etc/dbus-1/system.d",
                                                              "/usr/share/dbus-1/system.d"};

// False if no program of the host can be notified: the system bus has no policy for the name
// com.redhat.lvmdbus1, so nobody may own it. The policy is part of lvmdbusd's package.
[[nodiscard]] bool has_dbus_daemon(std::span<const std::string_view> policies = kBusPolicies);

}  // namespace lvmd::lvm
