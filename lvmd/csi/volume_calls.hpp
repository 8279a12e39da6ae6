// Which volumes have a call in progress: two calls for one volume at a time could undo each other
// [P-CSI-21].
#pragma once

#include <mutex>
#include <set>
#include <string>

namespace lvmd::csi {

// Thread-safe.
class VolumeCalls {
 public:
  // False if a call for the volume is in progress.
  [[nodiscard]] bool begin(const std::string& volume) {
    const std::lock_guard lock{mutex_};
    return volumes_.insert(volume).second;
  }
  void end(const std::string& volume) {
    const std::lock_guard lock{mutex_};
    volumes_.erase(volume);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> volumes_;
};

}  // namespace lvmd::csi
