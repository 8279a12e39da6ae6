#include "lvmd/supervisor/metrics_listener.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "lvmd/supervisor/listening_sockets.hpp"

namespace lvmd::supervisor {
namespace {

constexpr int kScrapeBacklog = 16;

struct InetAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

InetAddress inet_address(const config::MetricsAddress& address) {
  InetAddress result;
  auto& v4 = reinterpret_cast<sockaddr_in&>(result.storage);
  if (::inet_pton(AF_INET, address.host.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address.port);
    result.size = sizeof v4;
    return result;
  }
  auto& v6 = reinterpret_cast<sockaddr_in6&>(result.storage);
  // The configuration has checked that it is one of the two.
  static_cast<void>(::inet_pton(AF_INET6, address.host.c_str(), &v6.sin6_addr));
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(address.port);
  result.size = sizeof v6;
  return result;
}

Result<UniqueFd> listen_on_port(const config::MetricsAddress& address) {
  const std::string name = fmt::format("metrics-address {}", to_string(address));
  const InetAddress inet = inet_address(address);
  UniqueFd fd{
      ::socket(inet.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP)};
  if (!fd) return fail_errno(errno, name);
  // A restart must not wait for the previous process's connections to time out.
  const int on = 1;
  if (::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&inet.storage), inet.size) != 0 ||
      ::listen(fd.get(), kScrapeBacklog) != 0)
    return fail_errno(errno, name);
  return fd;
}

}  // namespace

Result<UniqueFd> open_metrics_listener(const config::MetricsAddress& address,
                                       std::optional<gid_t> group) {
  if (address.path.empty()) return listen_on_port(address);
  return listen_on({.key = "metrics-address", .path = address.path, .group = group});
}

Result<MetricsFlag> parse_metrics_flag(const std::string& value) {
  if (value.empty() || value == "0") return MetricsFlag{};
  std::string text = value;
  bool is_confined = false;
  for (const std::string_view everywhere : {"0.0.0.0:", "[::]:", ":"})
    if (text.starts_with(everywhere)) {
      text = fmt::format("127.0.0.1:{}", text.substr(everywhere.size()));
      is_confined = true;
      break;
    }
  auto address = config::parse_metrics_address(text);
  if (!address)
    return fail(Code::kInvalidArgument, "--metrics-bind-address: {}", address.error().message);
  return MetricsFlag{.address = std::move(*address), .is_confined = is_confined};
}

}  // namespace lvmd::supervisor
