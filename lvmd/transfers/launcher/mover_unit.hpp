// The systemd unit of a mover: a transient service that keeps running when lvmd ends [P-XFER-3,
// P-XFER-4]. Pure: systemd_units.hpp creates it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "internal/transfer.pb.h"
#include "lvmd/config/transfer_settings.hpp"

namespace lvmd::transfers {

struct MoverUnit {
  struct Device {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    // Set for a restore.
    bool writable = false;
  };

  // "lvmd-transfer-backup-x.service".
  std::string name;
  std::string description;
  // The path of lvmd-mover.
  std::string program;
  // The only argument, shown by ps(1): "backup x".
  std::string title;
  // Set for a backup or a restore.
  std::optional<Device> device{};
  // False for a local repository.
  bool needs_network = true;
  config::TransferSettings limits;
};

// `job` must have been checked.
[[nodiscard]] MoverUnit mover_unit(const internal::MoverJob& job, std::string program,
                                   const config::TransferSettings& limits);

// `id` must pass check_id(): unit names may contain its characters, which appear unchanged. Others
// would be escaped as by systemd-escape(1).
[[nodiscard]] std::string mover_unit_name(v1::Operation operation, std::string_view id);

// A property of org.freedesktop.systemd1, by its D-Bus type.
struct UnitProperty {
  // (bas): a list that allows (true) or denies.
  struct Filter {
    bool allows = true;
    std::vector<std::string> values;

    friend bool operator==(const Filter&, const Filter&) = default;
  };
  // a(sasb): one program and its arguments including argv[0].
  struct Program {
    std::string path;
    std::vector<std::string> arguments;

    friend bool operator==(const Program&, const Program&) = default;
  };
  // a(ss).
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  // b, i, t, s, as.
  using Value = std::variant<bool, std::int32_t, std::uint64_t, std::string,
                             std::vector<std::string>, Filter, Program, Pairs>;

  std::string name;
  Value value;
};

// All properties except the standard input, which is a descriptor.
[[nodiscard]] std::vector<UnitProperty> mover_properties(const MoverUnit& unit);

}  // namespace lvmd::transfers
