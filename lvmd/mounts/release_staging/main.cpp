// lvmd-release-staging: unmounts the staging mounts of the CSI driver, so that a driver that never
// unmounts them can take over. `lvmd csi release-staging` executes it [P-CLI-11].
//
//   lvmd-release-staging KUBELET_ROOT DRIVER_NAME DRIVER_SOCKET
//
// The mounts of pods are mounts of their own and stay. Prints one line for each staging mount. Exit
// code 0: none is left.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/kubelet_target.hpp"
#include "lvmd/mounts/mounter/unmounting.hpp"
#include "lvmd/mounts/table/mount_table.hpp"
#include "lvmd/mounts/table/mounted_volume.hpp"

namespace {

using namespace lvmd;

// Whether a process accepts connections at the socket, or systemd does so for one.
Result<bool> is_served(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.data(), path.size());
  const UniqueFd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!fd) return fail_errno(errno, "socket");
  return ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// Returns false, and prints the reason, if the mount stays.
bool release(const mounts::MountPoint& point, const model::KubeletTarget& target,
             const model::KubeletRoot& kubelet) {
  const auto volume = mounts::volume_of(point);
  const std::string of =
      volume ? fmt::format(" of volume {}/{}", volume->volume_group, volume->volume) : "";
  const auto removed = mounts::mounter::unmount(target, kubelet);
  if (!removed) {
    fmt::print(stderr, "{}\n", removed.error().message);
    return false;
  }
  fmt::print("unmounted {}{}\n", point.target, of);
  return true;
}

int release_all(const model::KubeletRoot& kubelet, const std::string& socket) {
  const auto served = is_served(socket);
  if (!served) {
    fmt::print(stderr, "{}\n", served.error().message);
    return 1;
  }
  if (*served) {
    fmt::print(stderr,
               "lvmd serves kubelet at {}. While it does, kubelet counts on the staging mounts: "
               "first run `systemctl stop lvmd.service lvmd.socket lvmd-csi.socket`\n",
               socket);
    return 1;
  }
  const auto table = mounts::read_mount_table();
  if (!table) {
    fmt::print(stderr, "{}\n", table.error().message);
    return 1;
  }
  int released = 0;
  int left = 0;
  for (const mounts::MountPoint& point : *table) {
    const auto target = model::parse_kubelet_target("target", point.target, kubelet);
    if (!target || target->kind != model::TargetKind::kStaging) continue;
    ++(release(point, *target, kubelet) ? released : left);
  }
  fmt::print("{} staging mounts of driver {} unmounted, {} left\n", released, kubelet.driver, left);
  return left == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr,
               "usage: lvmd-release-staging KUBELET_ROOT DRIVER_NAME DRIVER_SOCKET; see `lvmd csi "
               "release-staging --help`\n");
    return 2;
  }
  try {
    return release_all({.path = argv[1], .driver = argv[2]}, argv[3]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "unexpected: {}\n", error.what());
    return 1;
  }
}
