// `transfers` of lvmd.yaml: what a transfer may use [P-CFG-51 to P-CFG-53].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lvmd::config {

struct Transfers {
  // Absolute. Whether the program is there is not known here.
  std::string restic{"/usr/bin/restic"};
  // Below which local repositories may be: absolute, none of them "/", none below another.
  std::vector<std::string> local_roots{"/var/lib/lvmd/repositories"};
  std::uint64_t memory_mib = 1024;
  // Of one processor.
  std::uint64_t cpu_percent = 100;
  std::uint64_t io_weight = 50;
  std::uint64_t max_running = 2;

  friend bool operator==(const Transfers&, const Transfers&) = default;
};

}  // namespace lvmd::config
