#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <chrono>

#include "lvmd/base/unique_fd.hpp"
#include "reconciler/kube/socket_options.hpp"

using namespace lvmd;
using namespace lvmd::reconciler::kube;
using namespace std::chrono_literals;

namespace {

int option(const UniqueFd& socket, int level, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  REQUIRE(::getsockopt(socket.get(), level, name, &value, &size) == 0);
  return value;
}

}  // namespace

TEST_CASE("a silent connection ends within a minute, by the kernel's settings [R-KUBE-15]",
          "[reconciler][kube]") {
  const UniqueFd socket{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  REQUIRE(limit_silence(socket.get()));
  CHECK(option(socket, SOL_SOCKET, SO_KEEPALIVE) == 1);
  const std::chrono::seconds idle{option(socket, IPPROTO_TCP, TCP_KEEPIDLE)};
  const std::chrono::seconds interval{option(socket, IPPROTO_TCP, TCP_KEEPINTVL)};
  CHECK(idle + option(socket, IPPROTO_TCP, TCP_KEEPCNT) * interval == 60s);
  CHECK(std::chrono::milliseconds{option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT)} == 20s);
  CHECK_FALSE(limit_silence(-1));
}
