#include "tests/rpc/rig.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>

namespace lvmd::rpc {
namespace {

std::unique_ptr<fakes::FakeNode> start(const fakes::NodeOptions& options) {
  auto node = fakes::FakeNode::start(options);
  if (!node) FAIL(describe(node.error()));
  return std::move(*node);
}

}  // namespace

std::string server_path() {
  const char* const path = std::getenv("LVMD_SERVER");
  return path == nullptr ? LVMD_SERVER_OF_THIS_BUILD : path;
}

std::unique_ptr<fakes::FakeNode> start_node() { return start_node({::getegid()}, {::getegid()}); }

std::unique_ptr<fakes::FakeNode> start_node(std::vector<gid_t> full_groups,
                                            std::vector<gid_t> read_only_groups) {
  return start({.server = server_path(),
                .full_groups = std::move(full_groups),
                .read_only_groups = std::move(read_only_groups)});
}

std::unique_ptr<fakes::FakeNode> start_node_with_metrics() {
  return start({.server = server_path(),
                .full_groups = {::getegid()},
                .read_only_groups = {::getegid()},
                .metrics = true});
}

std::unique_ptr<fakes::FakeNode> start_csi_node() {
  return start({.server = server_path(),
                .full_groups = {::getegid()},
                .read_only_groups = {::getegid()},
                .csi = true});
}

std::unique_ptr<fakes::FakeNode> start_node_with_restic(std::optional<std::string> problem) {
  return start({.server = server_path(),
                .full_groups = {::getegid()},
                .read_only_groups = {::getegid()},
                .restic_problem = std::move(problem)});
}

UniqueFd connect_to(const std::string& path) {
  UniqueFd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  REQUIRE(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.data(), path.size());
  REQUIRE(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  return fd;
}

std::string read_to_end(const UniqueFd& fd) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t got = ::recv(fd.get(), part.data(), part.size(), 0);
    REQUIRE(got >= 0);
    if (got == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
}

std::string scrape(const std::string& metrics_socket) {
  const UniqueFd fd = connect_to(metrics_socket);
  const std::string request = "GET /metrics HTTP/1.1\r\nHost: lvmd\r\n\r\n";
  REQUIRE(::send(fd.get(), request.data(), request.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(request.size()));
  return read_to_end(fd);
}

}  // namespace lvmd::rpc
