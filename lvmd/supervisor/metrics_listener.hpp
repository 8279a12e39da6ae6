// The listening socket of the metrics, made here because the server may make no such socket.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/config/metrics_address.hpp"

namespace lvmd::supervisor {

// A Unix socket gets mode 0660 and `group` (absent: root's alone); a port is open to every user of
// this host. An Error names the address.
[[nodiscard]] Result<UniqueFd> open_metrics_listener(const config::MetricsAddress& address,
                                                     std::optional<gid_t> group);

// What TopoLVM's --metrics-bind-address asks for (P-CLI-8).
struct MetricsFlag {
  // Absent: no metrics ("" and "0").
  std::optional<config::MetricsAddress> address;
  // The flag named every address (":8080"); `address` is loopback instead.
  bool is_confined = false;
};

// InvalidArgument, naming the flag, for what is no address or one of other hosts' reach.
[[nodiscard]] Result<MetricsFlag> parse_metrics_flag(const std::string& value);

}  // namespace lvmd::supervisor
