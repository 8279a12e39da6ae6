// What must be kept about an object from the moment when its volume can exist. Rules: R-REC-*.
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
  // The volume was created.
  bool created = false;
  // The removal of the volume has begun and is always finished.
  bool removing = false;
  // The id of the backup, or of the snapshot in a repository, that the volume is restored from;
  // empty: none [R-ONLINE-12].
  std::string restore_from{};

  friend bool operator==(const Record&, const Record&) = default;
};

// "topolvm.io_data.record.yaml".
[[nodiscard]] std::string record_file_name(const Key& key);

// The inverse. Absent: not the name of a record.
[[nodiscard]] std::optional<Key> key_of_record_file(std::string_view name);

[[nodiscard]] std::string format_record(const Record& record);

// InvalidArgument with the reason, also when the record is not about `key` [R-REC-5].
[[nodiscard]] Result<Record> parse_record(const Key& key, const std::string& text);

// The folder that the volumes belong to, from the first start [R-DIR-4].
inline constexpr const char* kFolderRecordFile = "_folder.record.yaml";

// The id in the owner marks of this state directory's volumes, and the node of that id [R-REC-7].
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
