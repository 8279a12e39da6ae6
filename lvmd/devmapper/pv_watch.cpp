#include "lvmd/devmapper/pv_watch.hpp"

#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

namespace lvmd::devmapper {
namespace {

constexpr std::uint32_t kMask = IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF;

}  // namespace

Result<PvWatch> PvWatch::open() {
  UniqueFd fd{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  if (!fd) return fail_errno(errno, "start inotify");
  return PvWatch{std::move(fd)};
}

Status PvWatch::watch(std::span<const std::string> paths) {
  std::map<std::string, int> wanted;
  std::optional<Error> error;
  for (const std::string& path : paths) {
    // For a node that is already watched, this returns the existing watch.
    const int watch = ::inotify_add_watch(inotify_.get(), path.c_str(), kMask);
    if (watch >= 0)
      wanted.emplace(path, watch);
    else if (!error)
      error = errno_error(errno, fmt::format("watch {}", path));
  }
  const auto is_wanted = [&wanted](int watch) {
    return std::ranges::any_of(wanted,
                               [watch](const auto& entry) { return entry.second == watch; });
  };
  for (const auto& [path, watch] : watch_by_path_)
    // Fails only if the kernel has removed the watch together with its node.
    if (!is_wanted(watch)) static_cast<void>(::inotify_rm_watch(inotify_.get(), watch));
  watch_by_path_ = std::move(wanted);
  if (error) return std::unexpected(*std::move(error));
  return {};
}

Result<ChangedPaths> PvWatch::drain() {
  ChangedPaths result;
  alignas(inotify_event) std::array<char, 16384> buffer{};
  while (true) {
    const ssize_t size = ::read(inotify_.get(), buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return result;
    if (size < 0) return fail_errno(errno, "read inotify events");
    for (std::size_t offset = 0;
         offset + sizeof(inotify_event) <= static_cast<std::size_t>(size);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + offset, sizeof event);
      offset += sizeof event + event.len;
      for (auto entry = watch_by_path_.begin(); entry != watch_by_path_.end();) {
        const bool overflow = (event.mask & IN_Q_OVERFLOW) != 0;
        if (!overflow && entry->second != event.wd) {
          ++entry;
        } else if ((event.mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)) != 0) {
          result.gone.insert(entry->first);
          entry = watch_by_path_.erase(entry);
        } else {
          result.paths.insert(entry->first);
          ++entry;
        }
      }
    }
  }
}

}  // namespace lvmd::devmapper
