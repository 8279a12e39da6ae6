#include "reconciler/directory/folder_watch.hpp"

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace lvmd::reconciler::directory {
namespace {

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE |
                                  IN_CREATE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF;

}  // namespace

Result<FolderWatch> FolderWatch::open(std::string path) {
  UniqueFd inotify{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
  if (!inotify) return fail_errno(errno, "opening inotify");
  return FolderWatch{std::move(path), std::move(inotify)};
}

bool FolderWatch::appears_complete(const char* name) const {
  const std::string path = path_ + "/" + name;
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && (S_ISLNK(status.st_mode) || status.st_nlink > 1);
}

bool FolderWatch::drain() {
  bool changed = false;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(inotify_.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return changed;
    for (std::size_t at = 0; at < static_cast<std::size_t>(count);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* const name = event.len > 0 ? buffer.data() + at + sizeof event : "";
      // Overflow, unmount and the end of the watch are reported without a request.
      if ((event.mask & IN_IGNORED) != 0 && event.wd == watch_) watch_ = -1;
      if ((event.mask & IN_CREATE) == 0 || appears_complete(name)) changed = true;
      at += sizeof event + event.len;
    }
  }
}

bool FolderWatch::follow() {
  const int watch = ::inotify_add_watch(inotify_.get(), path_.c_str(), kEvents | IN_ONLYDIR);
  if (watch == watch_ && watch >= 0) return false;
  if (watch_ >= 0) ::inotify_rm_watch(inotify_.get(), watch_);
  watch_ = watch;
  return true;
}

}  // namespace lvmd::reconciler::directory
