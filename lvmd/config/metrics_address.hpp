// The address of the metrics endpoint [P-CFG-31]: a Unix socket, or a port on a loopback address.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::config {

struct MetricsAddress {
  // The absolute path of the Unix socket; empty for a port.
  std::string path;
  // A numeric loopback address: in 127.0.0.0/8, or ::1.
  std::string host;
  std::uint16_t port = 0;

  friend bool operator==(const MetricsAddress&, const MetricsAddress&) = default;
};

// Parses "unix:/run/x.sock", "127.0.0.1:9099", "[::1]:9099" or "localhost:9099". InvalidArgument
// with the reason for any other text, in particular for addresses that other hosts can reach.
[[nodiscard]] Result<MetricsAddress> parse_metrics_address(std::string_view text);

// The text form, with a numeric host: "127.0.0.1:9099". parse_metrics_address() accepts it.
[[nodiscard]] std::string to_string(const MetricsAddress& address);

}  // namespace lvmd::config
