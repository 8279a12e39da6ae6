// `transfers` of lvmd.yaml: restic, local repositories and the limits of a transfer [P-CFG-51,
// P-CFG-52, P-CFG-53].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lvmd::config {

struct TransferSettings {
  // An absolute path. The program may not exist.
  std::string restic{"/usr/bin/restic"};
  // The folders below which local repositories may be: absolute, not "/", not nested.
  std::vector<std::string> local_roots{"/var/lib/lvmd/repositories"};
  std::uint64_t memory_mib = 1024;
  // 100: one processor.
  std::uint64_t cpu_percent = 100;
  std::uint64_t io_weight = 50;
  std::uint64_t max_running = 2;

  friend bool operator==(const TransferSettings&, const TransferSettings&) = default;
};

}  // namespace lvmd::config
