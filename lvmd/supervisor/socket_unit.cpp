#include "lvmd/supervisor/socket_unit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <systemd/sd-bus.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace lvmd::supervisor {
namespace {

constexpr const char* kService = "org.freedesktop.systemd1";
constexpr const char* kManagerPath = "/org/freedesktop/systemd1";
constexpr const char* kManager = "org.freedesktop.systemd1.Manager";
constexpr const char* kUnit = "org.freedesktop.systemd1.Unit";
constexpr const char* kSocket = "org.freedesktop.systemd1.Socket";

constexpr std::chrono::microseconds kTimeLimit = std::chrono::seconds{3};

using Bus = std::unique_ptr<sd_bus, decltype(&sd_bus_flush_close_unref)>;
using Message = std::unique_ptr<sd_bus_message, decltype(&sd_bus_message_unref)>;

Bus open_bus() {
  sd_bus* bus = nullptr;
  if (sd_bus_open_system(&bus) < 0) return {nullptr, &sd_bus_flush_close_unref};
  sd_bus_set_method_call_timeout(bus, static_cast<std::uint64_t>(kTimeLimit.count()));
  return {bus, &sd_bus_flush_close_unref};
}

// The object path of the unit, which systemd loads. Empty: there is no systemd.
std::string load_unit(sd_bus* bus, const std::string& unit) {
  sd_bus_message* raw = nullptr;
  if (sd_bus_call_method(bus, kService, kManagerPath, kManager, "LoadUnit", nullptr, &raw, "s",
                         unit.c_str()) < 0)
    return {};
  const Message reply{raw, &sd_bus_message_unref};
  const char* path = nullptr;
  return sd_bus_message_read(reply.get(), "o", &path) > 0 ? std::string{path} : std::string{};
}

bool is_loaded(sd_bus* bus, const std::string& path) {
  char* state = nullptr;
  if (sd_bus_get_property_string(bus, kService, path.c_str(), kUnit, "LoadState", nullptr, &state) <
      0)
    return false;
  const std::unique_ptr<char, decltype(&std::free)> owned{state, &std::free};
  return std::string_view{state} == "loaded";
}

}  // namespace

std::optional<std::vector<std::string>> paths_of_socket_unit(const std::string& unit) {
  const Bus bus = open_bus();
  if (!bus) return std::nullopt;
  const std::string path = load_unit(bus.get(), unit);
  if (path.empty() || !is_loaded(bus.get(), path)) return std::nullopt;
  sd_bus_message* raw = nullptr;
  if (sd_bus_get_property(bus.get(), kService, path.c_str(), kSocket, "Listen", nullptr, &raw,
                          "a(ss)") < 0)
    return std::nullopt;
  const Message reply{raw, &sd_bus_message_unref};
  if (sd_bus_message_enter_container(reply.get(), 'a', "(ss)") < 0) return std::nullopt;
  std::vector<std::string> paths;
  const char* kind = nullptr;
  const char* address = nullptr;
  while (sd_bus_message_read(reply.get(), "(ss)", &kind, &address) > 0) paths.emplace_back(address);
  return paths;
}

std::optional<std::string> compare_with_socket_unit(const config::CsiSettings& csi,
                                                    const std::vector<std::string>& paths) {
  const std::array needed{csi.socket_path(), csi.registration_socket_path()};
  if (std::ranges::all_of(needed, [&paths](const std::string& path) {
        return std::ranges::find(paths, path) != paths.end();
      }))
    return std::nullopt;
  return fmt::format(
      "csi: lvmd needs the sockets {}, but {} has {}: run systemctl edit {} and set, below "
      "[Socket], ListenStream= (empty) and then ListenStream= for each path",
      fmt::join(needed, " and "), kCsiSocketUnit, fmt::join(paths, " and "), kCsiSocketUnit);
}

}  // namespace lvmd::supervisor
