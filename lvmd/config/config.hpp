// lvmd.yaml as values, every rule of docs/protocol.md section "lvmd.yaml" already checked.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/config/metrics_address.hpp"
#include "lvmd/config/transfers.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::config {

inline constexpr std::string_view kDefaultConfigPath = "/etc/topolvm/lvmd.yaml";
inline constexpr std::string_view kDefaultSocketPath = "/run/topolvm/lvmd.sock";
inline constexpr std::string_view kDefaultSocketGroup = "lvmd";
// Whose members may use the read-only socket. Not configurable.
inline constexpr std::string_view kReadOnlySocketGroup = "lvmd-ro";

inline constexpr std::string_view kDefaultMountRoot = "/run/lvmd/mounts";

// TopoLVM's default for lvm-command-prefix. To lvmd it means: the LVM libraries, directly.
[[nodiscard]] std::vector<std::string> native_command_prefix();

struct Config {
  // Absolute; short enough that read_only_socket_path() fits a socket address too.
  std::string socket_path{kDefaultSocketPath};
  // Whose members may use the socket of all services.
  std::string socket_group{kDefaultSocketGroup};
  // Absent: metrics are served nowhere.
  std::optional<MetricsAddress> metrics_address;
  // Warnings about the file are errors.
  bool strict = false;
  // At least one device class; names, VGs and pools unique as the rules say. Whether the VGs and
  // pools exist is not known here.
  model::ClassCatalog catalog;
  // Where MountService may mount: absolute, none below another, at least one [P-CFG-50].
  std::vector<std::string> mount_roots{std::string{kDefaultMountRoot}};
  // Begins every lvm command, unless it is the native prefix.
  std::vector<std::string> lvm_command_prefix = native_command_prefix();
  Transfers transfers;

  [[nodiscard]] bool is_native() const { return lvm_command_prefix == native_command_prefix(); }

  // "-ro" before the extension of socket_path: /run/topolvm/lvmd-ro.sock.
  [[nodiscard]] std::string read_only_socket_path() const;

  // Every volume group of the device classes once, in the file's order.
  [[nodiscard]] std::vector<std::string> volume_groups() const;

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace lvmd::config
