// Where metrics are served [P-CFG-31]: a Unix socket or a port of this host alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::config {

struct MetricsAddress {
  // The Unix socket's absolute path; empty for a port.
  std::string path;
  // A loopback address in numbers: 127.0.0.0/8 or ::1.
  std::string host;
  std::uint16_t port = 0;

  friend bool operator==(const MetricsAddress&, const MetricsAddress&) = default;
};

// "unix:/run/x.sock", "127.0.0.1:9099", "[::1]:9099" or "localhost:9099". Anything else, addresses
// that other hosts reach above all, is InvalidArgument with the reason.
[[nodiscard]] Result<MetricsAddress> parse_metrics_address(std::string_view text);

// As it was written, but for names: "127.0.0.1:9099".
[[nodiscard]] std::string to_string(const MetricsAddress& address);

}  // namespace lvmd::config
