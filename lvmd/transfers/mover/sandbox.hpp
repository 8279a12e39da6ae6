// The mover's own mount namespace. It contains only what a transfer needs [P-XFER-4, P-XFER-6].
//
//   /usr /bin /sbin /lib*  the host's, read-only      /etc        certificates, name resolution
//   /restic                restic, read-only          /proc       read-only
//   /dev                   null zero full random urandom, and `volume`
//   /cache                 restic's cache             /repository a local repository
//   /tmp                   restic's temporary files in memory; absent if they are in /cache
//   /volume                mount point of the volume
//
// The directory of the records is not in it: the mover has that directory open.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers::mover {

// The device of the volume in the sandbox.
inline constexpr std::string_view kDevicePath = "/dev/volume";

struct SandboxPlan {
  // Paths on the host.
  std::string restic_path;
  std::string cache_directory;
  // The size of /tmp, in bytes; 0: there is none.
  std::uint64_t temporary_memory = 0;
  // Empty without a volume.
  std::string device_path;
  // The open directory of a local repository. Empty for any other.
  UniqueFd repository{};
};

// Protects the secrets of the whole process: disables core dumps and tracing by other processes,
// and marks inherited descriptors close-on-exec. Must be called first.
[[nodiscard]] Status harden_process();

// Opens the directory of a local repository below one of the roots without following symbolic links
// [P-XFER-18]. With `make`, creates missing directories with mode 0700; otherwise NotFound.
// InvalidArgument when the path is below no root, FailedPrecondition when a part is a symbolic
// link.
[[nodiscard]] Result<UniqueFd> open_local_repository(const std::string& path,
                                                     const std::vector<std::string>& roots,
                                                     bool make);

// Leaves the host's mount and IPC namespaces, and the network namespace when `network` is false.
// Files that the sandbox shows must be opened after this call.
[[nodiscard]] Status leave_host(bool network);

// Enters the sandbox, irreversibly. Afterwards only the paths in the table above exist.
[[nodiscard]] Status enter_sandbox(const SandboxPlan& plan);

}  // namespace lvmd::transfers::mover
