// The values of lvmd.yaml. They fulfil all rules of docs/protocol.md, section "lvmd.yaml".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/config/csi_settings.hpp"
#include "lvmd/config/metrics_address.hpp"
#include "lvmd/config/transfer_settings.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::config {

inline constexpr std::string_view kDefaultConfigPath = "/etc/topolvm/lvmd.yaml";
inline constexpr std::string_view kDefaultSocketPath = "/run/topolvm/lvmd.sock";
inline constexpr std::string_view kDefaultSocketGroup = "lvmd";
// The group that may use the read-only socket. Not configurable.
inline constexpr std::string_view kReadOnlySocketGroup = "lvmd-ro";

inline constexpr std::string_view kDefaultMountRoot = "/run/lvmd/mounts";

// TopoLVM's default for lvm-command-prefix. With this value, lvmd calls LVM's libraries directly.
[[nodiscard]] std::vector<std::string> native_command_prefix();

struct Config {
  // An absolute path. read_only_socket_path() is short enough for a socket address, too.
  std::string socket_path{kDefaultSocketPath};
  // The group that may use the full socket.
  std::string socket_group{kDefaultSocketGroup};
  // Absent: lvmd serves no metrics.
  std::optional<MetricsAddress> metrics_address;
  // Warnings about the file count as errors.
  bool strict = false;
  // At least one device class. Names, VGs and pools are unique as the rules require. The VGs and
  // pools may not exist.
  model::ClassCatalog catalog;
  // The folders below which MountService may mount [P-CFG-50]: at least one, absolute, not nested.
  std::vector<std::string> mount_roots{std::string{kDefaultMountRoot}};
  // The arguments before every lvm command, unless this is the native prefix.
  std::vector<std::string> lvm_command_prefix = native_command_prefix();
  TransferSettings transfers;
  // Absent: lvmd is no CSI driver.
  std::optional<CsiSettings> csi;

  [[nodiscard]] bool is_native() const { return lvm_command_prefix == native_command_prefix(); }

  // socket_path with "-ro" before the extension: /run/topolvm/lvmd-ro.sock.
  [[nodiscard]] std::string read_only_socket_path() const;

  // The volume groups of the device classes, each once, in the order of the file.
  [[nodiscard]] std::vector<std::string> volume_groups() const;

  friend bool operator==(const Config&, const Config&) = default;
};

}  // namespace lvmd::config
