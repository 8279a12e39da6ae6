#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/server/incomplete_requests.hpp"
#include "lvmd/server/request_frames.hpp"

using namespace lvmd;
using namespace lvmd::server;

namespace {

// RFC 9113, section 6.
constexpr char kData = 0;
constexpr char kHeaders = 1;
constexpr char kResetStream = 3;
constexpr char kPing = 6;
constexpr char kEndStream = 1;
// A frame of 10 bytes with its header.
constexpr std::size_t kFrame = 19;
constexpr std::size_t kStream = std::size_t{16} << 10U;

const std::string kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

std::string frame(char type, char flags, char stream, std::size_t size = 10) {
  return std::string{'\0',
                     static_cast<char>(size >> 8U),
                     static_cast<char>(size & 0xffU),
                     type,
                     flags,
                     '\0',
                     '\0',
                     '\0',
                     stream} +
         std::string(size, 'x');
}

std::size_t held_after(const std::string& bytes, std::size_t piece) {
  RequestFrames frames;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    frames.take(std::as_bytes(std::span{bytes}.subspan(at, std::min(piece, bytes.size() - at))));
  return frames.held_bytes();
}

// The same in pieces that divide the frames differently. The first request's frame header, of 9
// bytes, may count or not.
void check_held(const std::string& bytes, std::size_t held) {
  for (const std::size_t piece : {1U, 2U, 5U, 9U, 23U, 24U, 25U, 4096U}) {
    CAPTURE(piece);
    CHECK(held_after(bytes, piece) >= held);
    CHECK(held_after(bytes, piece) <= held + (held == 0 ? 0 : 9));
  }
}

// A connection of the object under test.
class Peer {
 public:
  Peer() {
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    here_ = UniqueFd{ends[0]};
    there_ = UniqueFd{ends[1]};
  }

  [[nodiscard]] int fd() const { return here_.get(); }
  void close() { here_.reset(); }

  void send(IncompleteRequests& requests, std::string bytes) const {
    iovec part{.iov_base = bytes.data(), .iov_len = bytes.size()};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    requests.received(here_.get(), message, bytes.size());
  }

  // Whether the client reads the end of the stream.
  [[nodiscard]] bool was_ended() const {
    char byte = 0;
    return ::recv(there_.get(), &byte, 1, MSG_DONTWAIT) == 0;
  }

 private:
  UniqueFd here_;
  UniqueFd there_;
};

}  // namespace

TEST_CASE("a request is incomplete until the client ends or resets its stream [P-SOCK-25]",
          "[server]") {
  const std::string begun = kPreface + frame(kHeaders, 0, 1);
  check_held(kPreface, 0);
  check_held(begun, kStream + 10);
  check_held(begun + frame(kData, 0, 1, 1000), kStream + 10 + 9 + 1000);
  check_held(begun + frame(kData, kEndStream, 1, 1000), 0);
  check_held(begun + frame(kResetStream, 0, 1), 0);
  check_held(kPreface + frame(kHeaders, kEndStream, 1), 0);
  // A request by itself does not end another one.
  check_held(begun + frame(kHeaders, kEndStream, 3) + frame(kData, kEndStream, 5),
             kStream + 10 + 2 * kFrame);
  check_held(begun + frame(kHeaders, 0, 3) + frame(kData, kEndStream, 1),
             kStream + 10 + 2 * kFrame);
}

TEST_CASE("all bytes of a connection count while a request is incomplete [P-SOCK-25]", "[server]") {
  const std::string begun = kPreface + frame(kHeaders, 0, 1);
  // gRPC keeps a buffer for the few bytes of a request in it.
  check_held(begun + frame(kPing, 0, 0, 4000) + frame(kData, 0, 1, 24),
             kStream + 10 + 9 + 4000 + 9 + 24);
  check_held(begun + frame(kPing, 0, 0, 4000) + frame(kData, kEndStream, 1, 24), 0);
  // The count begins anew with the next incomplete request.
  check_held(begun + frame(kData, kEndStream, 1, 4000) + frame(kHeaders, 0, 3), kStream + 10);
}

TEST_CASE("at the limit the connection whose incomplete requests take most is ended [P-SOCK-25]",
          "[server]") {
  std::vector<IncompleteRequests::Ended> ended;
  IncompleteRequests requests{[&](const auto& one) { ended.push_back(one); }};
  const IncompleteRequests::Limit limit{.path = "/socket", .bytes = 5 * kStream};
  const Peer small;
  const Peer large;
  const Peer elsewhere;
  const Peer unknown;
  requests.begin(small.fd(), limit);
  requests.begin(large.fd(), limit);
  requests.begin(elsewhere.fd(), {.path = "/other", .bytes = 10 * kStream});
  const auto streams = [](char count) {
    std::string bytes;
    for (char i = 0; i < count; ++i) bytes += frame(kHeaders, 0, static_cast<char>(2 * i + 1));
    return bytes;
  };

  unknown.send(requests, kPreface + streams(8));
  elsewhere.send(requests, kPreface + streams(8));
  large.send(requests, kPreface + streams(3));
  CHECK(ended.empty());
  // The bytes of the small one exceed the limit, those of the large one are most.
  small.send(requests, kPreface + streams(1));
  CHECK(ended.empty());
  small.send(requests, frame(kHeaders, 0, 3));
  REQUIRE(ended.size() == 1);
  CHECK(ended[0].connection == large.fd());
  CHECK(ended[0].bytes >= 3 * kStream);
  CHECK(ended[0].limit.path == "/socket");
  CHECK(large.was_ended());
  CHECK(requests.has_ended(large.fd()));
  for (const Peer* other : {&small, &elsewhere, &unknown}) {
    CHECK_FALSE(other->was_ended());
    CHECK_FALSE(requests.has_ended(other->fd()));
  }

  // An ended connection counts no more.
  large.send(requests, streams(8));
  CHECK(ended.size() == 1);
  // Neither does what a complete request took.
  for (int i = 0; i < 8; ++i)
    small.send(requests, streams(3) + frame(kData, kEndStream, 1) + frame(kData, kEndStream, 3) +
                             frame(kData, kEndStream, 5));
  CHECK(ended.size() == 1);
}

TEST_CASE("connections that gRPC closed do not count [P-SOCK-25]", "[server]") {
  std::vector<IncompleteRequests::Ended> ended;
  IncompleteRequests requests{[&](const auto& one) { ended.push_back(one); }};
  const IncompleteRequests::Limit limit{.path = "/socket", .bytes = 4 * kStream};
  const std::string three =
      kPreface + frame(kHeaders, 0, 1) + frame(kHeaders, 0, 3) + frame(kHeaders, 0, 5);
  Peer closed;
  const Peer open;
  const int number = closed.fd();
  requests.begin(number, limit);
  closed.send(requests, three);
  SECTION("and the number is free") {
    closed.close();
    requests.begin(open.fd(), limit);
    open.send(requests, three);
  }
  SECTION("and the number is another connection's") {
    requests.begin(number, limit);
    requests.begin(open.fd(), limit);
    open.send(requests, three);
    CHECK_FALSE(closed.was_ended());
  }
  SECTION("after the end of the stream was read") {
    requests.received(number, msghdr{}, 0);
    requests.begin(open.fd(), limit);
    open.send(requests, three);
    CHECK_FALSE(closed.was_ended());
  }
  CHECK(ended.empty());
  CHECK_FALSE(open.was_ended());
}
