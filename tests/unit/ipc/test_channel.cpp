#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <thread>

#include "internal/control.pb.h"
#include "internal/worker.pb.h"
#include "lvmd/ipc/channel.hpp"

using lvmd::Code;
using lvmd::UniqueFd;
using lvmd::internal::ControlFrame;
using lvmd::internal::WorkerReply;
using lvmd::ipc::Channel;

namespace {

void write_raw(const Channel& end, const std::string& bytes) {
  REQUIRE(::send(end.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
          static_cast<ssize_t>(bytes.size()));
}

}  // namespace

TEST_CASE("messages arrive complete and in order", "[channel]") {
  auto [a, b] = lvmd::ipc::make_pair().value();
  for (std::uint64_t id = 1; id <= 3; ++id) {
    WorkerReply reply;
    reply.set_id(id);
    REQUIRE(a.send(reply));
  }
  for (std::uint64_t id = 1; id <= 3; ++id) {
    const auto received = b.receive<WorkerReply>();
    REQUIRE(received);
    REQUIRE(*received);
    CHECK((*received)->message.id() == id);
  }
}

TEST_CASE("an empty message is a frame", "[channel]") {
  auto [a, b] = lvmd::ipc::make_pair().value();
  REQUIRE(a.send(ControlFrame{}));
  const auto received = b.receive<ControlFrame>();
  REQUIRE(received);
  REQUIRE(*received);
  CHECK((*received)->message.frame_case() == ControlFrame::FRAME_NOT_SET);
}

TEST_CASE("a message larger than the socket's buffer arrives complete", "[channel]") {
  auto [a, b] = lvmd::ipc::make_pair().value();
  WorkerReply large;
  large.mutable_error()->set_message(std::string(std::size_t{8} << 20U, 'x'));
  const std::jthread sender{[&sending = a, &large] { CHECK(sending.send(large)); }};
  const auto received = b.receive<WorkerReply>();
  REQUIRE(received);
  REQUIRE(*received);
  CHECK((*received)->message.error().message().size() == std::size_t{8} << 20U);
}

TEST_CASE("descriptors arrive with their frame", "[channel]") {
  auto [a, b] = lvmd::ipc::make_pair().value();
  std::array<int, 2> pipe_fds{};
  REQUIRE(::pipe(pipe_fds.data()) == 0);
  const UniqueFd read_end{pipe_fds[0]};
  const UniqueFd write_end{pipe_fds[1]};
  const std::array fds{read_end.get()};
  ControlFrame frame;
  frame.mutable_observer_attached();
  REQUIRE(a.send(frame, fds));
  auto received = b.receive<ControlFrame>();
  REQUIRE(received);
  REQUIRE(*received);
  REQUIRE((*received)->fds.size() == 1);
  REQUIRE(::write(write_end.get(), "x", 1) == 1);
  char byte = 0;
  CHECK(::read((*received)->fds[0].get(), &byte, 1) == 1);
  CHECK(byte == 'x');
}

TEST_CASE("the end between two frames is normal, the end within a frame is an error", "[channel]") {
  auto [a, b] = lvmd::ipc::make_pair().value();
  SECTION("between") {
    a = Channel{};
    const auto received = b.receive<ControlFrame>();
    REQUIRE(received);
    CHECK_FALSE(*received);
  }
  SECTION("within the length") {
    write_raw(a, std::string{"\x05\x00", 2});
    a = Channel{};
    REQUIRE_FALSE(b.receive<ControlFrame>());
  }
  SECTION("within the message") {
    write_raw(a, std::string{"\x05\x00\x00\x00hi", 6});
    a = Channel{};
    const auto received = b.receive<ControlFrame>();
    REQUIRE_FALSE(received);
    CHECK(received.error().code == Code::kUnavailable);
  }
}

TEST_CASE("a frame that is too long or malformed is rejected", "[channel]") {
  auto [a, b] = lvmd::ipc::make_pair().value();
  SECTION("too long") {
    write_raw(a, std::string{"\xff\xff\xff\xff", 4});
    const auto received = b.receive<ControlFrame>();
    REQUIRE_FALSE(received);
    CHECK(received.error().code == Code::kInvalidArgument);
  }
  SECTION("no such message") {
    write_raw(a, std::string{"\x02\x00\x00\x00\xff\xff", 6});
    const auto received = b.receive<ControlFrame>();
    REQUIRE_FALSE(received);
    CHECK(received.error().message == "a frame of 2 bytes is not a lvmd.internal.ControlFrame");
  }
}

TEST_CASE("sending to a closed peer is Unavailable", "[channel]") {
  auto [a, b] = lvmd::ipc::make_pair().value();
  b = Channel{};
  const auto sent = a.send(ControlFrame{});
  REQUIRE_FALSE(sent);
  CHECK(sent.error().code == Code::kUnavailable);
}
