// The files of the records in /run/lvmd/transfers. The directory is on a tmpfs, so a reboot removes
// all records.
//
// A record is replaced atomically by a rename: a reader sees the old or the new one, and inotify
// reports IN_MOVED_TO with the record's name. Files have mode 0640 and the directory's group.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

// Reads a record. NotFound when it does not exist; Internal, with the path, when it cannot be read
// or is invalid.
[[nodiscard]] Result<internal::TransferRecord> read_record(const std::filesystem::path& directory,
                                                           const TransferKey& key);

// Writes a record. Only for the mover that holds the transfer's lock and, before that mover runs,
// for the process that starts it. Rejects a record that check_record() rejects.
[[nodiscard]] Status write_record(const std::filesystem::path& directory,
                                  const internal::TransferRecord& record);

// Removes the record and the lock file. Succeeds when they do not exist. The caller must hold the
// lock, or no other process may be able to take it.
[[nodiscard]] Status remove_record(const std::filesystem::path& directory, const TransferKey& key);

using ListedRecord = std::pair<TransferKey, Result<internal::TransferRecord>>;

// Returns all records, sorted by operation and id. An invalid record is in the list as its Error.
// The list is empty when the directory does not exist.
[[nodiscard]] Result<std::vector<ListedRecord>> list_records(
    const std::filesystem::path& directory);

}  // namespace lvmd::transfers
