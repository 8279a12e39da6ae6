// What a child may still do after its fork and before its exec.
//
// One unit can't give two sandboxes, so the unit carries what every child bears and the supervisor
// narrows each one here. Called in the forked child only: there is no way back.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/supervisor/accounts.hpp"

namespace lvmd::supervisor {

// lvmd-server: `account`, no supplementary group, no capability, no new privileges; network, IPC
// and mount namespaces of its own with a /dev of null, zero, full, random and urandom; seccomp; a
// limit of its memory, and the first of lvmd to go where the host has none left.
[[nodiscard]] Status sandbox_server(const Account& account);

// lvmd-observer: root that can read disks and ask device-mapper, and nothing else of root's power.
[[nodiscard]] Status sandbox_observer();

// lvmd-worker: what the unit leaves to root, but for what only a mounter needs. It and what it runs
// go last where the host has no memory left.
[[nodiscard]] Status sandbox_worker();

// lvmd-mounter: root that can enter PID 1's mount namespace, mount, read and write devices and
// folders, and see who holds a mount. It goes last where the host has no memory left.
[[nodiscard]] Status sandbox_mounter();

}  // namespace lvmd::supervisor
