// The folder of the records (/run/lvmd/transfers), on a tmpfs: gone with the host's run.
//
// A record is replaced whole by a rename, so that a reader sees the old one or the new one. inotify
// tells of it by IN_MOVED_TO of the record's name. Files have mode 0640 and the folder's group.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

// NotFound when there is none; Internal, naming the file, when it can't be read or is no record.
[[nodiscard]] Result<internal::TransferRecord> read_record(const std::filesystem::path& directory,
                                                           const TransferKey& key);

// By the mover, who holds the transfer's lock; before that, by who starts it. Refuses what
// check_record() does.
[[nodiscard]] Status write_record(const std::filesystem::path& directory,
                                  const internal::TransferRecord& record);

// Record and lock file go. No error when there is none. By who holds the lock, or knows that
// nobody can.
[[nodiscard]] Status remove_record(const std::filesystem::path& directory, const TransferKey& key);

using ListedRecord = std::pair<TransferKey, Result<internal::TransferRecord>>;

// By operation and id. A bad record is in the list as its Error. Empty when the folder isn't there.
[[nodiscard]] Result<std::vector<ListedRecord>> list_records(
    const std::filesystem::path& directory);

}  // namespace lvmd::transfers
