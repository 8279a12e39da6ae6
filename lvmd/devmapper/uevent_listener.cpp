#include "lvmd/devmapper/uevent_listener.hpp"

#include <linux/netlink.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "lvmd/base/files.hpp"

namespace lvmd::devmapper {
namespace {

// The kernel sends to group 1. udev sends its processed events to group 2, later.
constexpr std::uint32_t kKernelGroup = 1;
constexpr std::uint32_t kUdevGroup = 2;
constexpr int kReceiveBuffer = 4 << 20;
// A message of the kernel has at most 2 KiB of keys, and a path.
constexpr std::size_t kMaxMessage = 16384;

void complete_from_sysfs(BlockEvent& event) {
  if (!event.is_device_mapper()) return;
  const std::string folder = "/sys/block/" + event.devname + "/dm/";
  if (event.dm_name.empty()) event.dm_name = first_line(folder + "name");
  if (event.dm_uuid.empty()) event.dm_uuid = first_line(folder + "uuid");
}

}  // namespace

Result<UeventListener> UeventListener::open(EventSource source) {
  UniqueFd fd{
      ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT)};
  if (!fd) return fail_errno(errno, "open a socket for uevents");
  // A size above the system's limit needs a privilege. With a smaller buffer, events are lost
  // earlier.
  if (::setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUFFORCE, &kReceiveBuffer, sizeof kReceiveBuffer) !=
      0)
    static_cast<void>(
        ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer));
  sockaddr_nl address{};
  address.nl_family = AF_NETLINK;
  address.nl_groups = source == EventSource::kKernel ? kKernelGroup : kKernelGroup | kUdevGroup;
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return fail_errno(errno, "listen to uevents");
  return UeventListener{std::move(fd), source};
}

Result<BlockEvents> UeventListener::drain() {
  BlockEvents result;
  std::array<char, kMaxMessage> buffer{};
  while (true) {
    sockaddr_nl sender{};
    socklen_t sender_size = sizeof sender;
    const ssize_t size = ::recvfrom(socket_.get(), buffer.data(), buffer.size(), 0,
                                    reinterpret_cast<sockaddr*>(&sender), &sender_size);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return result;
    if (size < 0 && errno == ENOBUFS) {
      result.lost = true;
      continue;
    }
    if (size < 0) return fail_errno(errno, "receive uevents");
    if (sender_size < sizeof sender) continue;
    auto event = parse_uevent(std::string_view{buffer.data(), static_cast<std::size_t>(size)});
    // Privileged processes can send to the groups, too. Only the kernel sends from port 0.
    if (!event || event->handled != (sender.nl_pid != 0)) continue;
    if (source_ == EventSource::kKernel) complete_from_sysfs(*event);
    result.events.push_back(*std::move(event));
  }
}

}  // namespace lvmd::devmapper
