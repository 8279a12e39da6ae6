#include "lvmd/ipc/channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace lvmd::ipc {
namespace {

constexpr std::size_t kHeaderSize = 4;

struct alignas(cmsghdr) ControlBuffer {
  std::array<char, CMSG_SPACE(sizeof(int) * kMaxFdsPerFrame)> bytes{};
};

Result<bool> wait(int fd, short events, int milliseconds) {
  pollfd polled{.fd = fd, .events = events, .revents = 0};
  for (;;) {
    const int ready = ::poll(&polled, 1, milliseconds);
    if (ready >= 0) return ready > 0;
    if (errno != EINTR) return fail_errno(errno, "poll on a channel");
  }
}

// Adds `fds` to the control data of `header`.
void attach(msghdr& header, ControlBuffer& control, std::span<const int> fds) {
  if (fds.empty()) return;
  header.msg_control = control.bytes.data();
  header.msg_controllen = CMSG_SPACE(fds.size_bytes());
  cmsghdr* const part = CMSG_FIRSTHDR(&header);
  part->cmsg_level = SOL_SOCKET;
  part->cmsg_type = SCM_RIGHTS;
  part->cmsg_len = CMSG_LEN(fds.size_bytes());
  std::memcpy(CMSG_DATA(part), fds.data(), fds.size_bytes());
}

void collect(msghdr& header, std::vector<UniqueFd>& fds) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      fds.emplace_back(fd);
    }
  }
}

// Reads exactly `size` bytes. False: the peer closed the socket before the first byte.
Result<bool> read_exactly(int fd, char* data, std::size_t size, std::vector<UniqueFd>& fds) {
  std::size_t done = 0;
  while (done < size) {
    ControlBuffer control;
    iovec part{.iov_base = data + done, .iov_len = size - done};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.bytes.data();
    header.msg_controllen = control.bytes.size();
    const ssize_t got = ::recvmsg(fd, &header, MSG_CMSG_CLOEXEC);
    if (got < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        if (auto ready = wait(fd, POLLIN, -1); !ready) return std::unexpected(ready.error());
        continue;
      }
      if (errno == ECONNRESET && done == 0) return false;
      return fail_errno(errno, "receive on a channel");
    }
    collect(header, fds);
    if ((header.msg_flags & MSG_CTRUNC) != 0)
      return fail(Code::kInvalidArgument, "a frame has more than {} descriptors", kMaxFdsPerFrame);
    if (got == 0) {
      if (done == 0) return false;
      return fail(Code::kUnavailable, "the channel ended within a frame");
    }
    done += static_cast<std::size_t>(got);
  }
  return true;
}

// Sends all `bytes`; the descriptors go with the first byte.
Status send_all(int socket, std::string& bytes, std::span<const int> fds) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    ControlBuffer control;
    iovec part{.iov_base = bytes.data() + done, .iov_len = bytes.size() - done};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (done == 0) attach(header, control, fds);
    const ssize_t sent = ::sendmsg(socket, &header, MSG_NOSIGNAL);
    if (sent >= 0) {
      done += static_cast<std::size_t>(sent);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (auto ready = wait(socket, POLLOUT, -1); !ready) return std::unexpected(ready.error());
      continue;
    }
    if (errno == EPIPE || errno == ECONNRESET)
      return fail(Code::kUnavailable, "the process at the other end of the channel has ended");
    return fail_errno(errno, "send on a channel");
  }
  return {};
}

}  // namespace

Status Channel::send(const google::protobuf::MessageLite& message, std::span<const int> fds) {
  if (fds.size() > kMaxFdsPerFrame)
    return fail(Code::kInternal, "{} descriptors in one frame, at most {} are allowed", fds.size(),
                kMaxFdsPerFrame);
  std::string bytes(kHeaderSize, '\0');
  if (!message.AppendToString(&bytes) || bytes.size() - kHeaderSize > kMaxFrameSize)
    return fail(Code::kInternal, "a {} of {} bytes does not fit into a frame",
                message.GetTypeName(), bytes.size());
  const auto size = static_cast<std::uint32_t>(bytes.size() - kHeaderSize);
  for (unsigned i = 0; i < kHeaderSize; ++i)
    bytes[i] = static_cast<char>((size >> (8 * i)) & 0xffU);

  const Status sent = send_all(socket_.get(), bytes, fds);
  wipe(bytes);
  return sent;
}

Result<std::optional<Frame>> Channel::receive_frame() {
  Frame frame;
  std::array<char, kHeaderSize> header{};
  const auto begun = read_exactly(socket_.get(), header.data(), header.size(), frame.fds);
  if (!begun) return std::unexpected(begun.error());
  if (!*begun) return std::nullopt;
  std::uint32_t size = 0;
  for (unsigned i = 0; i < kHeaderSize; ++i)
    size |= static_cast<std::uint32_t>(static_cast<unsigned char>(header[i])) << (8 * i);
  if (size > kMaxFrameSize)
    return fail(Code::kInvalidArgument, "a frame of {} bytes, at most {} are allowed", size,
                kMaxFrameSize);
  frame.payload.resize(size);
  if (size == 0) return frame;
  const auto rest = read_exactly(socket_.get(), frame.payload.data(), size, frame.fds);
  if (!rest) return std::unexpected(rest.error());
  if (!*rest) return fail(Code::kUnavailable, "the channel ended within a frame");
  return frame;
}

Result<bool> Channel::wait_readable(std::chrono::milliseconds limit) const {
  return wait(socket_.get(), POLLIN, static_cast<int>(limit.count()));
}

void Channel::shutdown() { ::shutdown(socket_.get(), SHUT_RDWR); }

bool is_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

Result<std::pair<Channel, Channel>> make_pair() {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
    return fail_errno(errno, "socketpair");
  return std::pair{Channel{UniqueFd{fds[0]}}, Channel{UniqueFd{fds[1]}}};
}

}  // namespace lvmd::ipc
