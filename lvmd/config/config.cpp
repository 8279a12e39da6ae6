#include "lvmd/config/config.hpp"

#include <algorithm>
#include <filesystem>

namespace lvmd::config {

std::vector<std::string> native_command_prefix() {
  return {"/usr/bin/nsenter", "-m", "-u", "-i", "-n", "-p", "-t", "1", "/sbin/lvm"};
}

std::string Config::read_only_socket_path() const {
  const std::filesystem::path path{socket_path};
  return path.parent_path() / (path.stem().string() + "-ro" + path.extension().string());
}

std::vector<std::string> Config::volume_groups() const {
  std::vector<std::string> groups;
  for (const model::DeviceClass& device_class : catalog.device_classes)
    if (std::ranges::find(groups, device_class.volume_group) == groups.end())
      groups.push_back(device_class.volume_group);
  return groups;
}

}  // namespace lvmd::config
