// What was asked and answered, as JSON lines on a disk that outlives the machine.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

namespace lvmd::torture {

class Journal {
 public:
  // Goes on behind what the file has; a last line that was cut off is removed. Exits when it can't.
  explicit Journal(const std::string& path);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  // On the disk when it returns. Adds the time, in ms since the epoch. Safe from several threads.
  void write(nlohmann::json entry);

  // Lane and number of the operations that had ended when the file was opened.
  [[nodiscard]] const std::set<std::pair<int, int>>& ended() const { return ended_; }

 private:
  std::mutex mutex_;
  int fd_;
  std::set<std::pair<int, int>> ended_;
};

}  // namespace lvmd::torture
