#include "lvmd/http/listening_socket.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

#include "lvmd/base/unique_c.hpp"

namespace lvmd::http {
namespace {

constexpr int kBacklog = 64;

using Addresses = UniqueC<addrinfo, &freeaddrinfo>;

// The port follows the last colon. Brackets around an IPv6 address are removed.
Result<Addresses> resolve(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos)
    return fail(Code::kInvalidArgument, "\"{}\" is not an address: write HOST:PORT or :PORT",
                address);
  std::string host = address.substr(0, colon);
  const std::string port = address.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  // "::" accepts IPv4, too.
  if (host.empty()) host = "::";
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0)
    return fail(Code::kInvalidArgument, "\"{}\" is not an address: {}", address,
                gai_strerror(error));
  return Addresses{found};
}

std::uint16_t port_of(int fd) {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &size) != 0) return 0;
  // The port has the same offset in both structures.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&bound)->sin_port);
}

}  // namespace

Result<ListeningSocket> listen_at(const std::string& address) {
  const auto addresses = resolve(address);
  if (!addresses) return std::unexpected(addresses.error());
  const addrinfo& to = **addresses;
  UniqueFd fd{::socket(to.ai_family, to.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (!fd) return fail_errno(errno, fmt::format("creating a socket for {}", address));
  const int on = 1;
  const int off = 0;
  static_cast<void>(::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
  if (to.ai_family == AF_INET6)
    static_cast<void>(::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off));
  if (::bind(fd.get(), to.ai_addr, to.ai_addrlen) != 0 || ::listen(fd.get(), kBacklog) != 0)
    return fail_errno(errno, fmt::format("listening on {}", address));
  const std::uint16_t port = port_of(fd.get());
  return ListeningSocket{.fd = std::move(fd), .port = port};
}

}  // namespace lvmd::http
