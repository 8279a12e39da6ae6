// How systemd runs a mover: a transient service unit of its own, which lvmd's end doesn't touch
// [P-XFER-3, P-XFER-4]. Pure: systemd_units.hpp asks for it.
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
    // A restore writes to it.
    bool writable = false;
  };

  // "lvmd-transfer-backup-x.service".
  std::string name;
  std::string description;
  // lvmd-mover.
  std::string program;
  // Its only argument, for ps(1): "backup x".
  std::string title;
  // Of a backup or a restore.
  std::optional<Device> device;
  // A local repository needs no network.
  bool needs_network = true;
  config::TransferSettings limits;
};

// `job` has been checked.
[[nodiscard]] MoverUnit mover_unit(const internal::MoverJob& job, std::string program,
                                   const config::TransferSettings& limits);

// `id` is one that check_id() takes: each of its characters may be in a unit's name, and
// stands there as it is. Any other would be escaped as systemd-escape(1) does.
[[nodiscard]] std::string mover_unit_name(v1::Operation operation, std::string_view id);

// A property as org.freedesktop.systemd1 takes it, by its D-Bus type.
struct UnitProperty {
  // (bas): a list that allows (true) or forbids.
  struct Filter {
    bool allows = true;
    std::vector<std::string> words;

    friend bool operator==(const Filter&, const Filter&) = default;
  };
  // a(sasb): one program and its arguments, argv[0] among them.
  struct Program {
    std::string path;
    std::vector<std::string> words;

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

// All but the standard input, which is a descriptor.
[[nodiscard]] std::vector<UnitProperty> mover_properties(const MoverUnit& unit);

}  // namespace lvmd::transfers
