#include "lvmd/supervisor/listening_sockets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <ranges>
#include <system_error>
#include <utility>
#include <vector>

#include "lvmd/base/log.hpp"

namespace lvmd::supervisor {
namespace {

constexpr mode_t kUmask = 0117;
constexpr mode_t kFolderUmask = 0027;
constexpr int kBacklog = 128;

Result<sockaddr_un> address_of(const SocketSpec& spec) {
  const std::string& path = spec.path;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return fail(Code::kInvalidArgument, "{} {} is too long for a socket", spec.key, path);
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

std::string path_of(int fd) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return {};
  if (address.sun_family != AF_UNIX || size <= offsetof(sockaddr_un, sun_path)) return {};
  return address.sun_path;
}

// Removes the socket file of a process that has ended. Never removes a socket that accepts
// connections or a file that is not a socket.
Status clear_stale(const SocketSpec& spec, const sockaddr_un& address) {
  const std::string& path = spec.path;
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0)
    return errno == ENOENT ? Status{} : fail_errno(errno, path);
  if (!S_ISSOCK(status.st_mode))
    return fail(Code::kFailedPrecondition,
                "{} exists and is not a socket: remove it or choose another {}", path, spec.key);
  const UniqueFd probe{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!probe) return fail_errno(errno, "socket");
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return fail(Code::kFailedPrecondition,
                "another process listens on {}: is lvmd running already?", path);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return fail_errno(errno, path);
  return {};
}

Result<std::map<std::string, UniqueFd>> systemd_sockets() {
  const int count = sd_listen_fds(/*unset_environment=*/1);
  if (count < 0) return fail_errno(-count, "the sockets passed by systemd");
  std::map<std::string, UniqueFd> sockets;
  for (int i = 0; i < count; ++i) {
    UniqueFd fd{SD_LISTEN_FDS_START + i};
    std::string path = path_of(fd.get());
    sockets.insert_or_assign(std::move(path), std::move(fd));
  }
  return sockets;
}

Status make_folders(const SocketSpec& spec) {
  const std::filesystem::path folder = std::filesystem::path{spec.path}.parent_path();
  const mode_t before = ::umask(kFolderUmask);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  ::umask(before);
  return error ? fail_errno(error.value(), folder.string()) : Status{};
}

// Each spec with a unit has a socket, and each socket has a spec.
Status check_passed(const std::map<std::string, UniqueFd>& passed,
                    std::span<const SocketSpec> specs) {
  if (passed.empty()) return {};
  const auto paths = std::views::keys(passed);
  for (const SocketSpec& spec : specs)
    if (!spec.unit.empty() && !passed.contains(spec.path))
      return fail(Code::kFailedPrecondition,
                  "{} is {}, but systemd listens on {}: enable {} and make it and lvmd.yaml agree",
                  spec.key, spec.path, fmt::join(paths, ", "), spec.unit);
  for (const std::string& path : paths)
    if (std::ranges::find(specs, path, &SocketSpec::path) == specs.end())
      log::warning(
          fmt::format("systemd listens on {}, which lvmd.yaml does not need: clients "
                      "wait there for an answer; disable the socket's unit",
                      path));
  return {};
}

}  // namespace

Result<UniqueFd> listen_on(const SocketSpec& spec) {
  const auto address = address_of(spec);
  if (!address) return std::unexpected(address.error());
  if (spec.makes_folders)
    if (auto made = make_folders(spec); !made) return std::unexpected(made.error());
  if (auto cleared = clear_stale(spec, *address); !cleared) return std::unexpected(cleared.error());
  UniqueFd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)};
  if (!fd) return fail_errno(errno, "socket");
  // The umask sets the mode at bind(), so that no other user can connect before a chmod().
  const mode_t before = ::umask(kUmask);
  const int bound = ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address);
  const int bind_errno = errno;
  ::umask(before);
  if (bound != 0)
    return fail_errno(bind_errno, fmt::format("{} {} can't be bound", spec.key, spec.path));
  if (spec.group && ::chown(spec.path.c_str(), 0, *spec.group) != 0)
    return fail_errno(errno, spec.path);
  if (::listen(fd.get(), kBacklog) != 0) return fail_errno(errno, spec.path);
  return fd;
}

Result<std::vector<UniqueFd>> open_listening_sockets(std::span<const SocketSpec> specs) {
  auto passed = systemd_sockets();
  if (!passed) return std::unexpected(passed.error());
  if (auto valid = check_passed(*passed, specs); !valid) return std::unexpected(valid.error());
  std::vector<UniqueFd> sockets;
  for (const SocketSpec& spec : specs) {
    const auto found = passed->find(spec.path);
    auto socket =
        found != passed->end() ? Result<UniqueFd>{std::move(found->second)} : listen_on(spec);
    if (!socket) return std::unexpected(socket.error());
    sockets.push_back(std::move(*socket));
  }
  return sockets;
}

}  // namespace lvmd::supervisor
