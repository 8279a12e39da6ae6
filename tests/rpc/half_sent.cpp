#include "tests/rpc/half_sent.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdint>
#include <map>
#include <utility>

#include "lvmd/base/unique_fd.hpp"
#include "tests/rpc/rig.hpp"

namespace lvmd::rpc {
namespace {

// RFC 9113, sections 6 and 11.
enum FrameType : std::uint8_t {
  kData = 0,
  kHeaders = 1,
  kResetStream = 3,
  kSettings = 4,
  kPing = 6,
  kGoAway = 7,
  kWindowUpdate = 8,
};
constexpr std::uint8_t kAck = 1;
constexpr std::uint8_t kEndStream = 1;
constexpr std::uint8_t kEndHeaders = 4;
constexpr std::uint16_t kInitialWindow = 4;
constexpr std::size_t kFrameHeader = 9;
constexpr std::size_t kLargestFrame = 16384;
constexpr std::int64_t kFirstWindow = 65535;

std::uint32_t number_at(const std::string& bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < size; ++i)
    number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

std::string in_bytes(std::uint32_t number, std::size_t size) {
  std::string bytes;
  for (std::size_t i = size; i-- > 0;) bytes += static_cast<char>(number >> (8 * i) & 0xffU);
  return bytes;
}

std::string frame(FrameType type, std::uint8_t flags, std::uint32_t stream,
                  const std::string& payload) {
  return in_bytes(static_cast<std::uint32_t>(payload.size()), 3) + in_bytes(type, 1) +
         in_bytes(flags, 1) + in_bytes(stream, 4) + payload;
}

// HPACK without compression: RFC 7541, section 6 and appendix A.
std::string request_headers(const std::string& path) {
  const auto text = [](const std::string& value) {
    return static_cast<char>(value.size()) + value;
  };
  // :method POST, :scheme http, :path, :authority, content-type, te.
  return std::string{"\x83\x86"} + '\x44' + text(path) + '\x41' + text("lvmd") + '\x5f' +
         text("application/grpc") + '\x40' + text("te") + text("trailers");
}

}  // namespace

class HalfSent::Connection {
 public:
  explicit Connection(const HalfSentSpec& spec) : spec_(spec) { begin(); }

  [[nodiscard]] pollfd polled() const {
    return {.fd = fd_.get(),
            .events = static_cast<short>(pending_.empty() ? POLLIN : POLLIN | POLLOUT),
            .revents = 0};
  }

  void go_on() {
    take();
    fill();
    flush();
  }

  std::size_t sent = 0;
  std::size_t refusals = 0;

 private:
  struct Request {
    std::int64_t window = 0;
    std::size_t left = 0;
  };

  void begin() {
    fd_ = connect_to(spec_.socket);
    const int flags = ::fcntl(fd_.get(), F_GETFL);
    REQUIRE(::fcntl(fd_.get(), F_SETFL, flags | O_NONBLOCK) == 0);
    received_.clear();
    requests_.clear();
    window_ = initial_window_ = kFirstWindow;
    next_stream_ = 1;
    pending_ = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(kSettings, 0, 0, "");
  }

  void begin_again() {
    ++refusals;
    begin();
  }

  void take() {
    std::array<char, 65536> buffer{};
    for (;;) {
      const ssize_t size = ::recv(fd_.get(), buffer.data(), buffer.size(), 0);
      if (size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR)) return begin_again();
      if (size < 0) break;
      received_.append(buffer.data(), static_cast<std::size_t>(size));
    }
    std::size_t at = 0;
    while (received_.size() - at >= kFrameHeader) {
      const std::size_t size = number_at(received_, at, 3);
      if (received_.size() - at < kFrameHeader + size) break;
      understand(static_cast<std::uint8_t>(received_[at + 3]),
                 static_cast<std::uint8_t>(received_[at + 4]), number_at(received_, at + 5, 4),
                 received_.substr(at + kFrameHeader, size));
      at += kFrameHeader + size;
    }
    received_.erase(0, at);
  }

  void understand(std::uint8_t type, std::uint8_t flags, std::uint32_t stream,
                  const std::string& payload) {
    const auto request = requests_.find(stream);
    if (type == kSettings && (flags & kAck) == 0) {
      for (std::size_t at = 0; at + 6 <= payload.size(); at += 6) {
        if (number_at(payload, at, 2) != kInitialWindow) continue;
        const auto window = static_cast<std::int64_t>(number_at(payload, at + 2, 4));
        for (auto& [id, other] : requests_) other.window += window - initial_window_;
        initial_window_ = window;
      }
      pending_ += frame(kSettings, kAck, 0, "");
    } else if (type == kPing && (flags & kAck) == 0) {
      pending_ += frame(kPing, kAck, 0, payload);
    } else if (type == kWindowUpdate) {
      const auto more = static_cast<std::int64_t>(number_at(payload, 0, 4));
      if (stream == 0)
        window_ += more;
      else if (request != requests_.end())
        request->second.window += more;
    } else if (type == kResetStream ||
               ((type == kHeaders || type == kData) && (flags & kEndStream) != 0)) {
      if (requests_.erase(stream) != 0) ++refusals;
    }
  }

  // One pass over the requests, as far as windows and the socket permit.
  void fill() {
    while (requests_.size() < spec_.requests_per_connection) {
      pending_ += frame(kHeaders, kEndHeaders, next_stream_, request_headers(spec_.path));
      pending_ += frame(kData, 0, next_stream_,
                        '\0' + in_bytes(static_cast<std::uint32_t>(spec_.announced), 4));
      window_ -= 5;
      requests_[next_stream_] = {.window = initial_window_ - 5, .left = spec_.sent};
      next_stream_ += 2;
    }
    if (pending_.size() > kLargestFrame) return;
    for (auto& [stream, request] : requests_) {
      const auto most =
          std::min<std::int64_t>({window_, request.window, static_cast<std::int64_t>(request.left),
                                  static_cast<std::int64_t>(kLargestFrame)});
      if (most <= 0) continue;
      pending_ += frame(kData, 0, stream, std::string(static_cast<std::size_t>(most), 'x'));
      window_ -= most;
      request.window -= most;
      request.left -= static_cast<std::size_t>(most);
      sent += static_cast<std::size_t>(most);
    }
  }

  void flush() {
    while (!pending_.empty()) {
      const ssize_t size = ::send(fd_.get(), pending_.data(), pending_.size(), MSG_NOSIGNAL);
      if (size < 0 && errno != EAGAIN && errno != EINTR) return begin_again();
      if (size < 0) return;
      pending_.erase(0, static_cast<std::size_t>(size));
    }
  }

  const HalfSentSpec& spec_;
  UniqueFd fd_;
  std::string received_;
  std::string pending_;
  std::map<std::uint32_t, Request> requests_;
  std::int64_t window_ = kFirstWindow;
  std::int64_t initial_window_ = kFirstWindow;
  std::uint32_t next_stream_ = 1;
};

HalfSent::HalfSent(HalfSentSpec spec) : spec_(std::move(spec)) {
  for (std::size_t i = 0; i < spec_.connections; ++i)
    connections_.push_back(std::make_unique<Connection>(spec_));
}

HalfSent::~HalfSent() = default;

void HalfSent::send(std::size_t bytes, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (bytes_sent() < bytes && std::chrono::steady_clock::now() < end) {
    std::vector<pollfd> polled;
    polled.reserve(connections_.size());
    for (const auto& connection : connections_) polled.push_back(connection->polled());
    static_cast<void>(::poll(polled.data(), polled.size(), 10));
    for (std::size_t i = 0; i < connections_.size(); ++i)
      if (polled[i].revents != 0 || (polled[i].events & POLLOUT) == 0) connections_[i]->go_on();
  }
}

std::size_t HalfSent::bytes_sent() const {
  std::size_t sum = 0;
  for (const auto& connection : connections_) sum += connection->sent;
  return sum;
}

std::size_t HalfSent::refusals() const {
  std::size_t sum = 0;
  for (const auto& connection : connections_) sum += connection->refusals;
  return sum;
}

}  // namespace lvmd::rpc
