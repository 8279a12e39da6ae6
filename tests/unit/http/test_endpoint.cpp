#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/http/endpoint.hpp"

using namespace lvmd;
using namespace lvmd::http;

namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = port;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// An endpoint on a free port of the loopback interface.
class Site {
 public:
  Site() {
    UniqueFd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    REQUIRE(fd.get() >= 0);
    REQUIRE(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address_), sizeof address_) == 0);
    REQUIRE(::listen(fd.get(), 64) == 0);
    socklen_t size = sizeof address_;
    REQUIRE(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address_), &size) == 0);
    auto endpoint = Endpoint::open(
        std::move(fd), {{"/good", [] { return Page{.text = "yes\n"}; }},
                        {"/thrown", []() -> Page { throw std::runtime_error{"no memory"}; }}});
    REQUIRE(endpoint);
    endpoint_ = std::move(*endpoint);
  }

  [[nodiscard]] UniqueFd connect() const {
    UniqueFd fd{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    REQUIRE(fd.get() >= 0);
    REQUIRE(::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address_), sizeof address_) ==
            0);
    return fd;
  }

 private:
  sockaddr_in address_ = loopback(0);
  std::unique_ptr<Endpoint> endpoint_;
};

void send_text(const UniqueFd& fd, std::string_view text) {
  REQUIRE(::send(fd.get(), text.data(), text.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(text.size()));
}

std::string receive_all(const UniqueFd& fd) {
  std::string all;
  std::array<char, 512> part{};
  while (true) {
    const ssize_t got = ::recv(fd.get(), part.data(), part.size(), 0);
    if (got <= 0) return all;
    all.append(part.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

TEST_CASE("silent and slow connections delay no other [R-SERVE-2]", "[http]") {
  const Site site;
  std::vector<UniqueFd> silent;
  silent.reserve(10);
  for (int i = 0; i < 10; ++i) silent.push_back(site.connect());
  const UniqueFd slow = site.connect();
  send_text(slow, "GET /go");
  const UniqueFd quick = site.connect();
  send_text(quick, "GET /good HTTP/1.1\r\n\r\n");
  CHECK(receive_all(quick).ends_with("yes\n"));
  send_text(slow, "od HTTP/1.1\r\n\r\n");
  CHECK(receive_all(slow).ends_with("yes\n"));
  CHECK(receive_all(silent.front()).empty());  // the endpoint closes it at its time limit
}

TEST_CASE("a connection with a head that is too large is closed", "[http]") {
  const Site site;
  const UniqueFd large = site.connect();
  send_text(large, std::string(Endpoint::kMaxHead, 'x'));
  CHECK(receive_all(large).empty());
}

TEST_CASE("a page that throws gets status 500", "[http]") {
  const Site site;
  const UniqueFd client = site.connect();
  send_text(client, "GET /thrown HTTP/1.1\r\n\r\n");
  CHECK(receive_all(client).starts_with("HTTP/1.1 500 "));
}
