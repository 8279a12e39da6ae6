// Which capabilities the programs have that a mover runs [P-XFER-4].
#pragma once

#include <cstdint>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers::mover {

// A bit for each, by its number.
using Capabilities = std::uint64_t;

// Of restic. A backup reads all there is: DAC_READ_SEARCH. A restore makes owners (CHOWN), modes
// (FOWNER, FSETID), files in folders of others (DAC_OVERRIDE, DAC_READ_SEARCH), file capabilities
// (SETFCAP) and device nodes (MKNOD). A deletion touches no volume: none. SYS_ADMIN is in none of
// them: trusted.* attributes, which only it may set, are not restored.
[[nodiscard]] Capabilities capabilities_for(v1::Operation operation);

// In a new process: what isn't in `keep` is gone for good, and no exec brings more.
[[nodiscard]] Status keep_only(Capabilities keep);

}  // namespace lvmd::transfers::mover
