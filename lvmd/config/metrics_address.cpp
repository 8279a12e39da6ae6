#include "lvmd/config/metrics_address.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/un.h>

#include <cstddef>
#include <optional>
#include <utility>

#include "lvmd/base/parse_number.hpp"

namespace lvmd::config {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::size_t kMaxPath = sizeof(sockaddr_un::sun_path) - 1;

bool is_loopback(const std::string& host) {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24U == 127;
  in6_addr v6{};
  return ::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6) != 0;
}

Result<MetricsAddress> parse_path(std::string_view path) {
  if (!path.starts_with('/') || path.ends_with('/') || path.size() > kMaxPath)
    return fail(Code::kInvalidArgument,
                "\"unix:{}\" must contain the absolute path of a file, with at most {} bytes", path,
                kMaxPath);
  return MetricsAddress{.path = std::string{path}, .host = {}, .port = 0};
}

}  // namespace

Result<MetricsAddress> parse_metrics_address(std::string_view text) {
  if (text.starts_with(kUnix)) return parse_path(text.substr(kUnix.size()));
  const std::size_t colon = text.rfind(':');
  const auto port = colon == std::string_view::npos
                        ? std::nullopt
                        : parse_number<std::uint16_t>(text.substr(colon + 1));
  if (port.value_or(0) == 0)
    return fail(Code::kInvalidArgument,
                "\"{}\" is not an address: write unix:/PATH, 127.0.0.1:PORT or [::1]:PORT", text);
  std::string host{text.substr(0, colon)};
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  if (!is_loopback(host))
    return fail(
        Code::kInvalidArgument,
        "\"{}\" is reachable from other hosts: lvmd serves metrics only on loopback (127.0.0.1, "
        "[::1]) or a Unix socket",
        text);
  return MetricsAddress{.path = {}, .host = std::move(host), .port = *port};
}

std::string to_string(const MetricsAddress& address) {
  if (!address.path.empty()) return fmt::format("{}{}", kUnix, address.path);
  const bool is_v6 = address.host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", address.host, is_v6 ? "]" : "", address.port);
}

}  // namespace lvmd::config
