// One end of a socketpair that carries protobuf messages and descriptors between two processes of
// one lvmd.
//
// A frame is a 4-byte little-endian length and one message of this length. Descriptors go with the
// first byte of a frame. After any Error, the channel is unusable. A frame can contain credentials:
// the functions leave no copy of its bytes in memory.
#pragma once

#include <google/protobuf/message_lite.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/wipe.hpp"

namespace lvmd::ipc {

// A group of 10,000 volumes takes about 3 MB.
inline constexpr std::size_t kMaxFrameSize = std::size_t{64} << 20U;
inline constexpr std::size_t kMaxFdsPerFrame = 8;

struct Frame {
  std::string payload;
  std::vector<UniqueFd> fds;
};

// One thread can send while another one receives.
class Channel {
 public:
  Channel() = default;
  // `socket` is a connected SOCK_STREAM socket of AF_UNIX, blocking or non-blocking.
  explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}

  // For poll(): readable if a frame has begun or the peer has closed its end.
  [[nodiscard]] int fd() const { return socket_.get(); }
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(socket_); }
  [[nodiscard]] UniqueFd release() { return std::move(socket_); }

  // Blocks until the frame is sent. Unavailable if the peer has closed its end. The caller keeps
  // the ownership of `fds`.
  [[nodiscard]] Status send(const google::protobuf::MessageLite& message,
                            std::span<const int> fds = {});

  // Blocks until a whole frame is received. nullopt: the peer closed its end between two frames.
  // Unavailable if it closed its end within a frame. InvalidArgument if the frame is too long or
  // has too many descriptors.
  [[nodiscard]] Result<std::optional<Frame>> receive_frame();

  // As receive_frame(), parsed. InvalidArgument if the payload is not a Message.
  template <typename Message>
  struct Received {
    Message message;
    std::vector<UniqueFd> fds;
  };
  template <typename Message>
  [[nodiscard]] Result<std::optional<Received<Message>>> receive();

  // Blocks for at most `limit`. True: a frame has begun or the peer has closed its end.
  [[nodiscard]] Result<bool> wait_readable(std::chrono::milliseconds limit) const;

  // Ends both directions. A thread that blocks in receive() returns with the end of the channel.
  void shutdown();

 private:
  UniqueFd socket_;
};

// True if the descriptor is a socket, and so can be the end of a channel.
[[nodiscard]] bool is_socket(int fd);

// Two connected ends. The descriptors are close-on-exec.
[[nodiscard]] Result<std::pair<Channel, Channel>> make_pair();

template <typename Message>
Result<std::optional<Channel::Received<Message>>> Channel::receive() {
  auto frame = receive_frame();
  if (!frame) return std::unexpected(std::move(frame.error()));
  if (!*frame) return std::nullopt;
  Received<Message> received{.message = {}, .fds = std::move((*frame)->fds)};
  const std::size_t size = (*frame)->payload.size();
  const bool parsed = received.message.ParseFromString((*frame)->payload);
  wipe((*frame)->payload);
  if (!parsed)
    return fail(Code::kInvalidArgument, "a frame of {} bytes is not a {}", size,
                Message().GetTypeName());
  return received;
}

}  // namespace lvmd::ipc
