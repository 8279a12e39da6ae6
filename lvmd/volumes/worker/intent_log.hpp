// The open intents of one volume group, on disk (base/state_directory.hpp).
//
// Those of volumes that nobody may see yet are in a directory of their own, so that a listing of
// names is enough to know what to hide. A record is written whole or not at all, and both writing
// and deleting have reached the disk when they return.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/volumes/worker/intent.hpp"

namespace lvmd::volumes::worker {

// One per volume group, by the process that holds the group's lock file. One thread.
class IntentLog {
 public:
  // Makes the directories and reads what a predecessor left. A record that can't be read stays open
  // as its Error: its volume is hidden until somebody has looked.
  [[nodiscard]] static Result<IntentLog> open(const std::filesystem::path& state_directory,
                                              std::string_view volume_group);

  // Replaces the record of the same volume.
  [[nodiscard]] Status begin(const Intent& intent);
  // The intent is settled. No error when there is none.
  [[nodiscard]] Status end(std::string_view volume);

  // By volume, those that somebody deleted by hand left out.
  [[nodiscard]] const std::map<std::string, Result<Intent>, std::less<>>& open_intents();
  [[nodiscard]] bool empty() const { return open_.empty(); }
  // The volumes that must not be seen, sorted.
  [[nodiscard]] std::vector<std::string> hidden() const;
  // Where the volume's record is.
  [[nodiscard]] std::filesystem::path path_of(std::string_view volume) const;

 private:
  IntentLog(const std::filesystem::path& state_directory, std::string_view volume_group);
  [[nodiscard]] Status read(const std::filesystem::path& folder);

  std::filesystem::path new_;
  std::filesystem::path present_;
  std::map<std::string, Result<Intent>, std::less<>> open_;
};

}  // namespace lvmd::volumes::worker
