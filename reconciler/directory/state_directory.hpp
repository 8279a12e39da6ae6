// The reconciler's own directory: records, status, and the lock that keeps a second reconciler out.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "reconciler/directory/record.hpp"
#include "reconciler/directory/status_file.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::directory {

// What the files of a state directory say.
struct StateContents {
  std::map<Key, Record> records;
  // Records that can't be used, each with the reason naming the file [R-REC-5].
  std::map<Key, Error> broken_records;
  // A status that can't be read is left out: it is written anew.
  std::map<Key, VolumeStatus> statuses;
};

// Every save is on disk when it answers OK; every removal succeeds also when there is nothing.
class StateDirectory {
 public:
  // Makes the directory if it is missing and locks it until the object goes [R-REC-6].
  [[nodiscard]] static Result<StateDirectory> open(const std::filesystem::path& path);

  [[nodiscard]] Result<StateContents> load() const;

  // Absent before the first start.
  [[nodiscard]] Result<std::optional<FolderIdentity>> folder_record() const;
  [[nodiscard]] Status save_folder_record(const FolderIdentity& identity) const;

  // The id that volumes of `node` are marked with: made when there is none, and made anew when the
  // one there is was made for another node, or can't be read [R-REC-7].
  [[nodiscard]] Result<std::string> owner_id(const std::string& node) const;

  [[nodiscard]] Status save_record(const Record& record) const;
  [[nodiscard]] Status remove_record(const Key& key) const;

  [[nodiscard]] Status save_status(const Key& key, const std::string& uid,
                                   const VolumeStatus& status) const;
  [[nodiscard]] Status remove_status(const Key& key) const;
  [[nodiscard]] Status save_folder_status(const FolderStatus& status) const;

 private:
  StateDirectory(std::filesystem::path path, UniqueFd lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  void load_file(const std::string& name, StateContents& contents) const;

  std::filesystem::path path_;
  UniqueFd lock_;
};

}  // namespace lvmd::reconciler::directory
