// One end of a socketpair that carries protobuf messages, and descriptors, between two processes of
// one lvmd.
//
// A frame is a 4-byte little-endian length and that many bytes of one message. Descriptors travel
// with the first byte of a frame. Frames are whole or the channel is broken: any Error but a
// timeout is final. A frame may have credentials in it: no copy of its bytes stays in memory.
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

// Send and receive may be called by two threads at once; each of them by one thread at a time.
class Channel {
 public:
  Channel() = default;
  // `socket` is a connected SOCK_STREAM socket of AF_UNIX, blocking or not.
  explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}

  // For poll(): readable when a frame may have begun or the peer is gone.
  [[nodiscard]] int fd() const { return socket_.get(); }
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(socket_); }
  [[nodiscard]] UniqueFd release() { return std::move(socket_); }

  // Blocks until everything is sent. Unavailable when the peer is gone. `fds` stay the caller's.
  [[nodiscard]] Status send(const google::protobuf::MessageLite& message,
                            std::span<const int> fds = {});

  // Blocks until a frame is there. nullopt: the peer closed its end between two frames.
  // InvalidArgument when a frame breaks the rules above.
  [[nodiscard]] Result<std::optional<Frame>> receive_frame();

  // receive_frame, parsed. A payload that isn't a Message is InvalidArgument.
  template <typename Message>
  struct Received {
    Message message;
    std::vector<UniqueFd> fds;
  };
  template <typename Message>
  [[nodiscard]] Result<std::optional<Received<Message>>> receive();

  // True once a frame (or the end) can be read without waiting longer than `limit`.
  [[nodiscard]] Result<bool> wait_readable(std::chrono::milliseconds limit) const;

  // Ends both directions: a thread blocked in receive() gets the end of the channel.
  void shutdown();

 private:
  UniqueFd socket_;
};

// Whether a descriptor, such as standard input, may be the end of a channel.
[[nodiscard]] bool is_socket(int fd);

// Two connected ends, close-on-exec.
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
