// The system calls that the server has no use for.
#pragma once

#include "lvmd/base/result.hpp"

namespace lvmd::supervisor {

// From here on, in this process and what it executes: calls that change the machine (mounts,
// modules, clocks, namespaces, swap, power), look into other processes, or reach kernel surface
// that a gRPC server never needs fail with EPERM, and only Unix sockets can be made.
[[nodiscard]] Status filter_server_syscalls();

}  // namespace lvmd::supervisor
