// Confines a child after its fork and before its exec.
//
// One unit can't give two sandboxes, so the unit carries what every child needs and the supervisor
// confines each one here. Called in the forked child only: there is no way back.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/supervisor/accounts.hpp"
#include "lvmd/supervisor/rights.hpp"

namespace lvmd::supervisor {

// lvmd-server: `account`, no supplementary group, no capability, no new privileges; network, IPC
// and mount namespaces of its own with a /dev of null, zero, full, random and urandom; seccomp; a
// limit of its memory, and the first of lvmd to go where the host has none left.
[[nodiscard]] Status confine_server(const Account& account);

// A child that stays root: it and what it runs keep these rights and no other.
[[nodiscard]] Status confine(const Rights& rights);

}  // namespace lvmd::supervisor
