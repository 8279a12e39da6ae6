#include "lvmd/lvm/dbus_daemon.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace lvmd::lvm {

bool has_dbus_daemon(std::span<const std::string_view> policies) {
  return std::ranges::any_of(policies, [](std::string_view folder) {
    std::error_code error;
    const bool found =
        std::filesystem::exists(std::filesystem::path{folder} / "com.redhat.lvmdbus1.conf", error);
    // What cannot be read may exist.
    return found || error;
  });
}

}  // namespace lvmd::lvm
