// Records of movers that ended without a final record [P-XFER-3].
#pragma once

#include <filesystem>

#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

// Returns the record that readers see when no process holds its lock: FAILED, Interrupted,
// transient, completed at `now`. Returns the record of an ended transfer unchanged. A pure
// function.
[[nodiscard]] internal::TransferRecord interrupted(internal::TransferRecord record, Time now);

// Writes the interrupted() record if the transfer has not ended and no process holds its lock.
// Returns whether it wrote. Only for processes that may write records. Idempotent.
[[nodiscard]] Result<bool> settle_interrupted(const std::filesystem::path& directory,
                                              const TransferKey& key, Time now);

}  // namespace lvmd::transfers
