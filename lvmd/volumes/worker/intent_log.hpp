// The open intents of one volume group, on disk (base/state_directory.hpp).
//
// Intents of hidden volumes have a separate directory, so a directory listing returns the names of
// the hidden volumes. The supervisor adds these names to the setup of a new server. A record is
// written completely or not at all. begin() and end() return when the change is on the disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/volumes/worker/intent.hpp"

namespace lvmd::volumes::worker {

// One object per volume group, in the process that holds the group's lock file. One thread.
class IntentLog {
 public:
  // Creates the directories and reads the records of earlier workers. A record that cannot be read
  // is an open intent with an Error: its volume is hidden until the record is deleted by hand.
  [[nodiscard]] static Result<IntentLog> open(const std::filesystem::path& state_directory,
                                              std::string_view volume_group);

  // Writes the record; replaces a record of the same volume.
  [[nodiscard]] Status begin(const Intent& intent);
  // Deletes the record. Idempotent.
  [[nodiscard]] Status end(std::string_view volume);

  // The open intents by volume, without those whose record was deleted by hand.
  [[nodiscard]] const std::map<std::string, Result<Intent>, std::less<>>& open_intents();
  [[nodiscard]] bool empty() const { return open_.empty(); }
  // The hidden volumes, sorted.
  [[nodiscard]] std::vector<std::string> hidden() const;
  // The file of the volume's record; empty if the volume has no open intent.
  [[nodiscard]] std::filesystem::path path_of(std::string_view volume) const;

 private:
  IntentLog(const std::filesystem::path& state_directory, std::string_view volume_group);
  [[nodiscard]] Status read(const std::filesystem::path& folder);

  std::filesystem::path new_;
  std::filesystem::path present_;
  std::map<std::string, Result<Intent>, std::less<>> open_;
};

}  // namespace lvmd::volumes::worker
