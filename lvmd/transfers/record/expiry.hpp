// Removes old records of ended transfers [P-XFER-2].
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "lvmd/transfers/record/record_files.hpp"

namespace lvmd::transfers {

inline constexpr std::chrono::days kKeptFor{7};
inline constexpr std::size_t kKeptRecords = 1000;

// Returns the keys of the records to remove: ended transfers that are older than kKeptFor, and the
// oldest ended ones beyond kKeptRecords. Never returns a transfer that has not ended or whose
// record cannot be read. A pure function.
[[nodiscard]] std::vector<TransferKey> expired(std::span<const ListedRecord> records, Time now);

// Removes the expired records, except those whose transfer was started again in the meantime.
// Idempotent.
[[nodiscard]] Status expire(const std::filesystem::path& directory, Time now);

}  // namespace lvmd::transfers
