// The thread that decides when the folder is read.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "reconciler/directory/folder_watch.hpp"

namespace lvmd::reconciler::directory {

class FolderMonitor {
 public:
  using Read = std::function<void()>;
  using NextDue = std::function<std::chrono::steady_clock::time_point()>;

  // Calls `read` on a thread of its own: at once, after every change of the folder, once a second
  // while the folder does not exist, and when the time of `next_due` is over [R-DIR-3].
  [[nodiscard]] static Result<std::unique_ptr<FolderMonitor>> start(
      const std::filesystem::path& folder, Read read, NextDue next_due);

  FolderMonitor(FolderWatch watch, UniqueFd stop, Read read, NextDue next_due);
  FolderMonitor(const FolderMonitor&) = delete;
  FolderMonitor& operator=(const FolderMonitor&) = delete;
  // Ends the thread and waits for it, at most for the read in progress.
  ~FolderMonitor();

 private:
  enum class Woken { kStop, kChanged, kTime };

  void run();
  [[nodiscard]] Woken wait(std::chrono::milliseconds timeout, bool for_changes) const;
  [[nodiscard]] std::chrono::milliseconds timeout(bool has_folder) const;

  FolderWatch watch_;
  UniqueFd stop_;
  Read read_;
  NextDue next_due_;
  std::jthread thread_;
};

}  // namespace lvmd::reconciler::directory
