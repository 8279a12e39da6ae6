// The capabilities of the programs that a mover runs [P-XFER-4].
#pragma once

#include <cstdint>

#include "internal/transfer.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::transfers::mover {

// A set of capabilities: bit N is capability number N.
using Capabilities = std::uint64_t;

// Returns restic's capabilities for an operation. A backup reads all files: DAC_READ_SEARCH. A
// restore sets owners (CHOWN) and modes (FOWNER, FSETID), creates files in directories of other
// users (DAC_OVERRIDE, DAC_READ_SEARCH), sets file capabilities (SETFCAP) and creates device nodes
// (MKNOD). The other operations access no volume: none. SYS_ADMIN is never included, so trusted.*
// attributes, which only it may set, are not restored.
[[nodiscard]] Capabilities capabilities_for(v1::Operation operation);

// Called in a new process before exec. Drops all other capabilities permanently: the program cannot
// regain them by another exec.
[[nodiscard]] Status keep_only(Capabilities keep);

}  // namespace lvmd::transfers::mover
