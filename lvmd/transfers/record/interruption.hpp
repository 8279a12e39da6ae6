// Movers that died in the middle [P-XFER-3].
#pragma once

#include <filesystem>

#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

// The record as its reader has to see it when nobody holds its lock: FAILED, Interrupted,
// transient. Unchanged when it has ended.
[[nodiscard]] internal::TransferRecord interrupted(internal::TransferRecord record, Time now);

// Writes that, if the record hasn't ended and nobody holds its lock; else changes nothing. True
// when it did. For who may write the records.
[[nodiscard]] Result<bool> settle_interrupted(const std::filesystem::path& directory,
                                              const TransferKey& key, Time now);

}  // namespace lvmd::transfers
