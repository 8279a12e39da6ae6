// Decides whether a transfer is still running [P-XFER-3].
#pragma once

#include <chrono>
#include <filesystem>

#include "lvmd/transfers/record/record.hpp"

namespace lvmd::transfers {

// How long a transfer may be PENDING before its mover counts as not started.
inline constexpr std::chrono::seconds kStartTimeout{30};

// Whether the transfer has not ended and either its lock is held or its mover may still be
// starting: it is PENDING and began less than `patience` ago. A lock that cannot be checked counts
// as held, so that a running transfer is never reported as dead.
[[nodiscard]] bool is_live(const std::filesystem::path& directory,
                           const internal::TransferRecord& record, Time now,
                           std::chrono::seconds patience);

}  // namespace lvmd::transfers
