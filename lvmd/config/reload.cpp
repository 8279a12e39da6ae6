#include "lvmd/config/reload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lvmd/config/config_file.hpp"

namespace lvmd::config {
namespace {

// Keeps the running value, and adds a warning when the file has another one.
template <typename Value>
void keep(std::string_view key, Value& value, const Value& running,
          std::vector<std::string>& warnings) {
  if (value == running) return;
  warnings.push_back(fmt::format(
      "{} has changed and needs a restart; until then the old value stays in force", key));
  value = running;
}

// Adds the differences between two lists of classes.
template <typename Class>
void compare(const std::vector<Class>& before, const std::vector<Class>& after,
             std::vector<std::string>& changes) {
  for (const Class& now : after) {
    const auto found = std::ranges::find(before, now.name, &Class::name);
    if (found == before.end())
      changes.push_back(fmt::format("{} new", now.name));
    else if (!(*found == now))
      changes.push_back(fmt::format("{} changed", now.name));
  }
  for (const Class& old : before)
    if (std::ranges::find(after, old.name, &Class::name) == after.end())
      changes.push_back(fmt::format("{} gone", old.name));
}

}  // namespace

Result<Reload> reload_config(const std::string& path, const Config& running) {
  auto parsed = load_config(path);
  if (!parsed) return std::unexpected(std::move(parsed.error()));
  Reload reload{.config = std::move(parsed->config), .warnings = std::move(parsed->warnings)};
  Config& config = reload.config;
  keep("socket-name", config.socket_path, running.socket_path, reload.warnings);
  keep("socket-group", config.socket_group, running.socket_group, reload.warnings);
  keep("metrics-address", config.metrics_address, running.metrics_address, reload.warnings);
  keep("mount-roots", config.mount_roots, running.mount_roots, reload.warnings);
  keep("lvm-command-prefix", config.lvm_command_prefix, running.lvm_command_prefix,
       reload.warnings);
  keep("transfers", config.transfers, running.transfers, reload.warnings);
  keep("csi", config.csi, running.csi, reload.warnings);
  return reload;
}

std::string describe_change(const model::ClassCatalog& before, const model::ClassCatalog& after) {
  std::vector<std::string> devices;
  compare(before.device_classes, after.device_classes, devices);
  std::vector<std::string> options;
  compare(before.option_classes, after.option_classes, options);
  if (devices.empty() && options.empty())
    return before == after ? "no class changed" : "the order of the classes changed";
  std::string text;
  if (!devices.empty()) text += fmt::format("device classes: {}", fmt::join(devices, ", "));
  if (!options.empty())
    text += fmt::format("{}lvcreate-option-classes: {}", text.empty() ? "" : "; ",
                        fmt::join(options, ", "));
  return text;
}

}  // namespace lvmd::config
