// The reconciler's own directory: records, status, and the lock that excludes a second reconciler.
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

// The content of the files of a state directory.
struct StateContents {
  std::map<Key, Record> records;
  // Unusable records, each with an error that names the file [R-REC-5].
  std::map<Key, Error> broken_records;
  // A status that cannot be read is left out and written again.
  std::map<Key, VolumeStatus> statuses;
};

// Every save is on disk when it returns OK. Every removal is OK also when the file does not exist.
class StateDirectory {
 public:
  // Creates the directory if it is missing, and locks it for the lifetime of the result [R-REC-6].
  [[nodiscard]] static Result<StateDirectory> open(const std::filesystem::path& path);

  [[nodiscard]] Result<StateContents> load() const;

  // Absent before the first start.
  [[nodiscard]] Result<std::optional<FolderIdentity>> folder_record() const;
  [[nodiscard]] Status save_folder_record(const FolderIdentity& identity) const;

  // The id in the owner marks of the volumes of `node`. It is created when it is missing, belongs
  // to another node, or cannot be read [R-REC-7].
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
