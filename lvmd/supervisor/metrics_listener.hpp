// The listening socket of the metrics. The supervisor creates it because the server's sandbox
// forbids TCP sockets.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/config/metrics_address.hpp"

namespace lvmd::supervisor {

// A Unix socket gets mode 0660 and `group` (absent: root only). Every user of this host may connect
// to a port. An Error names the address.
[[nodiscard]] Result<UniqueFd> open_metrics_listener(const config::MetricsAddress& address,
                                                     std::optional<gid_t> group);

// The value of TopoLVM's flag --metrics-bind-address (P-CLI-8).
struct MetricsFlag {
  // Absent: no metrics ("" and "0").
  std::optional<config::MetricsAddress> address;
  // The flag names every address (":8080"); `address` is the loopback address instead.
  bool is_confined = false;
};

// InvalidArgument, naming the flag, when the value is not an address or reaches other hosts.
[[nodiscard]] Result<MetricsFlag> parse_metrics_flag(const std::string& value);

}  // namespace lvmd::supervisor
