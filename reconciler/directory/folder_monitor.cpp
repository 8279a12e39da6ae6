#include "reconciler/directory/folder_monitor.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace lvmd::reconciler::directory {
namespace {

using std::chrono::milliseconds;

// A mount over the folder raises no event.
constexpr milliseconds kLookForOtherFolder{10'000};
constexpr milliseconds kLookForMissingFolder{1'000};
// Many files that are copied at once are read once.
constexpr milliseconds kSettle{50};

}  // namespace

Result<std::unique_ptr<FolderMonitor>> FolderMonitor::start(const std::filesystem::path& folder,
                                                            Read read, NextDue next_due) {
  auto watch = FolderWatch::open(folder);
  if (!watch) return std::unexpected(std::move(watch.error()));
  UniqueFd stop{::eventfd(0, EFD_CLOEXEC)};
  if (!stop) return fail_errno(errno, "opening an eventfd");
  return std::make_unique<FolderMonitor>(std::move(*watch), std::move(stop), std::move(read),
                                         std::move(next_due));
}

FolderMonitor::FolderMonitor(FolderWatch watch, UniqueFd stop, Read read, NextDue next_due)
    : watch_(std::move(watch)),
      stop_(std::move(stop)),
      read_(std::move(read)),
      next_due_(std::move(next_due)),
      thread_([this] { run(); }) {}

FolderMonitor::~FolderMonitor() {
  // Adding 1 to a counter of 0 cannot fail.
  static_cast<void>(::eventfd_write(stop_.get(), 1));
}

FolderMonitor::Woken FolderMonitor::wait(milliseconds timeout, bool for_changes) const {
  std::array<pollfd, 2> fds{pollfd{.fd = stop_.get(), .events = POLLIN, .revents = 0},
                            pollfd{.fd = watch_.fd(), .events = POLLIN, .revents = 0}};
  const int ready = ::poll(fds.data(), for_changes ? 2 : 1, static_cast<int>(timeout.count()));
  if (ready > 0 && fds[0].revents != 0) return Woken::kStop;
  return ready > 0 && for_changes ? Woken::kChanged : Woken::kTime;
}

milliseconds FolderMonitor::timeout(bool has_folder) const {
  const auto longest = has_folder ? kLookForOtherFolder : kLookForMissingFolder;
  const auto now = std::chrono::steady_clock::now();
  const auto due = next_due_();
  if (due >= now + longest) return longest;
  // Rounded up, so that the thread does not wake shortly before the time.
  return std::max(std::chrono::ceil<milliseconds>(due - now), milliseconds{0});
}

void FolderMonitor::run() {
  // Watch first, then read: a change in between raises an event.
  static_cast<void>(watch_.follow());
  while (true) {
    read_();
    bool changed = false;
    while (!changed) {
      const Woken woken = wait(timeout(watch_.has_folder()), true);
      if (woken == Woken::kStop) return;
      if (woken == Woken::kChanged && wait(kSettle, false) == Woken::kStop) return;
      changed = watch_.drain();
      if (watch_.follow()) changed = true;
      if (next_due_() <= std::chrono::steady_clock::now()) changed = true;
    }
  }
}

}  // namespace lvmd::reconciler::directory
