#include "lvmd/config/csi_reader.hpp"

#include <fmt/format.h>
#include <sys/un.h>

#include <cstddef>
#include <string_view>
#include <utility>

#include "lvmd/model/mount_rules.hpp"
#include "lvmd/model/object_name.hpp"

namespace lvmd::config {
namespace {

// The CSI specification's limit.
constexpr std::size_t kMaxDriverName = 63;
// sun_path without its terminating zero.
constexpr std::size_t kMaxKubeletSocketPath = sizeof(sockaddr_un::sun_path) - 1;
// Far above what a node can mount.
constexpr std::uint64_t kMaxVolumes = 1000000;

void read_name(Mapping& mapping, std::string_view key, std::size_t max, std::string& name) {
  auto given = mapping.text(key);
  if (!given) return;
  if (!model::is_object_name(*given) || given->size() > max)
    mapping.error(key, fmt::format("\"{}\" must be at most {} of the characters a-z, 0-9, \"-\" "
                                   "and \".\", with a letter or digit at both ends of each part",
                                   *given, max));
  name = std::move(*given);
}

void read_kubelet_root(Mapping& mapping, CsiSettings& csi) {
  auto given = mapping.text("kubelet-root");
  if (given && !model::is_plain_path(*given))
    mapping.error("kubelet-root", fmt::format("\"{}\" must be an absolute path other than \"/\", "
                                              "without empty, \".\" and \"..\" parts",
                                              *given));
  if (given) csi.kubelet_root = std::move(*given);
  for (const std::string& path : {csi.socket_path(), csi.registration_socket_path()})
    if (path.size() > kMaxKubeletSocketPath)
      mapping.error("kubelet-root",
                    fmt::format("makes the socket's path {} {} bytes long, at most {} fit a "
                                "socket's address",
                                path, path.size(), kMaxKubeletSocketPath));
}

}  // namespace

std::string CsiSettings::socket_path() const {
  return fmt::format("{}/plugins/{}/csi.sock", kubelet_root, driver_name);
}

std::string CsiSettings::registration_socket_path() const {
  return fmt::format("{}/plugins_registry/lvmd-{}-reg.sock", kubelet_root, driver_name);
}

std::optional<CsiSettings> read_csi(Mapping& root) {
  auto mapping = root.mapping("csi");
  if (!mapping) return std::nullopt;
  CsiSettings csi;
  read_name(*mapping, "driver-name", kMaxDriverName, csi.driver_name);
  read_name(*mapping, "node-name", model::kMaxObjectNameLength, csi.node_name);
  read_kubelet_root(*mapping, csi);
  csi.max_volumes = mapping->whole_number("max-volumes", kMaxVolumes).value_or(0);
  mapping->report_unknown_keys();
  return csi;
}

}  // namespace lvmd::config
