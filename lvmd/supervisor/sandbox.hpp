// Confines a child after its fork and before its exec.
//
// The unit gives the rights that all children need together, and the supervisor confines each child
// here. Call these functions in the forked child only: they can't be undone.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/supervisor/accounts.hpp"
#include "lvmd/supervisor/rights.hpp"

namespace lvmd::supervisor {

// Confines lvmd-server: runs as `account` without supplementary groups, capabilities and new
// privileges; network, IPC and mount namespaces of its own with a /dev of null, zero, full, random
// and urandom; a seccomp filter; a memory limit, and the highest OOM score.
[[nodiscard]] Status confine_server(const Account& account);

// Confines a child that stays root: it and the programs it executes have these rights only.
[[nodiscard]] Status confine(const Rights& rights);

}  // namespace lvmd::supervisor
