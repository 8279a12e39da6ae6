// Denies system calls that the server does not need.
#pragma once

#include "lvmd/base/result.hpp"

namespace lvmd::supervisor {

// From now on, in this process and the programs it executes, calls fail with EPERM that change the
// machine (mounts, modules, clocks, namespaces, swap, power), inspect other processes, or reach
// kernel interfaces that a gRPC server does not need. Only Unix sockets can be created.
[[nodiscard]] Status filter_server_syscalls();

}  // namespace lvmd::supervisor
