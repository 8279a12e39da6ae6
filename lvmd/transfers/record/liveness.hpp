// Which transfers go on, and which only look so [P-XFER-3].
#pragma once

#include <chrono>
#include <filesystem>

#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

// A record that is PENDING, and no longer than this, has a mover on its way.
inline constexpr std::chrono::seconds kStartPatience{30};

// The record hasn't ended, and its lock is held, or its mover may still be on its way: it is
// PENDING and was begun less than `patience` ago. Where the lock can't be looked at it counts as
// held: what runs must not be taken for dead.
[[nodiscard]] bool is_live(const std::filesystem::path& directory,
                           const internal::TransferRecord& record, Time now,
                           std::chrono::seconds patience);

}  // namespace lvmd::transfers
