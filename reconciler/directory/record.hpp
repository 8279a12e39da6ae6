// What must not be forgotten about an object once its volume may exist. Rules: R-REC-*.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/directory/folder.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::directory {

struct Record {
  Key key;
  std::string uid{};
  std::string device_class{};
  // The volume was made.
  bool created = false;
  // Its removal has begun and will be finished.
  bool removing = false;
  // The volume is restored from the backup, or the snapshot in a repository, of this id; empty: it
  // is not [R-ONLINE-12].
  std::string restore_from{};

  friend bool operator==(const Record&, const Record&) = default;
};

// "topolvm.io_data.record.yaml".
[[nodiscard]] std::string record_file_name(const Key& key);

// The inverse; absent when the name is no record's.
[[nodiscard]] std::optional<Key> key_of_record_file(std::string_view name);

[[nodiscard]] std::string format_record(const Record& record);

// InvalidArgument saying what is wrong, also when the record is not `key`'s [R-REC-5].
[[nodiscard]] Result<Record> parse_record(const Key& key, const std::string& text);

// The folder that the volumes belong to, as found at the first start [R-DIR-4].
inline constexpr const char* kFolderRecordFile = "_folder.record.yaml";

// What this state directory marks volumes with, and the node that it was made for [R-REC-7].
inline constexpr const char* kOwnerRecordFile = "_owner.record.yaml";

struct OwnerRecord {
  // A UUID.
  std::string id;
  std::string node;

  friend bool operator==(const OwnerRecord&, const OwnerRecord&) = default;
};

[[nodiscard]] std::string format_owner_record(const OwnerRecord& record);
[[nodiscard]] Result<OwnerRecord> parse_owner_record(const std::string& text);

[[nodiscard]] std::string format_folder_record(const FolderIdentity& identity);
[[nodiscard]] Result<FolderIdentity> parse_folder_record(const std::string& text);

}  // namespace lvmd::reconciler::directory
