// How long records are kept [P-XFER-2].
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "lvmd/transfers/record/record_files.hpp"

namespace lvmd::transfers {

inline constexpr std::chrono::days kKeptFor{7};
inline constexpr std::size_t kKeptRecords = 1000;

// Those of the ended ones that are older than kKeptFor, and the oldest beyond kKeptRecords. One
// that runs, or can't be read, is never among them.
[[nodiscard]] std::vector<TransferKey> expired(std::span<const ListedRecord> records, Time now);

// Removes them, except those whose transfer has just been begun anew.
[[nodiscard]] Status expire(const std::filesystem::path& directory, Time now);

}  // namespace lvmd::transfers
