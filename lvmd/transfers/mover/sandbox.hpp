// The mover's own mount namespace: what a transfer needs, and nothing else of the host
// [P-XFER-4, P-XFER-6].
//
//   /usr /bin /sbin /lib*  the host's, read-only      /etc        certificates, name resolution
//   /restic                restic, read-only          /proc       read-only
//   /dev                   null zero full random urandom, and `volume`
//   /cache                 restic's cache             /repository of a local one
//   /volume                where the volume is mounted
//
// The folder of the records isn't there: the mover has it open.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers::mover {

inline constexpr std::string_view kDevicePath = "/dev/volume";

struct SandboxPlan {
  // Of the host.
  std::string restic_path;
  std::string cache_directory;
  // "" without a volume.
  std::string device_path;
  // A local repository, open; else none.
  UniqueFd repository;
};

// No core, no tracing by others, nothing inherited that a later program could inherit: for the
// whole process, first of all.
[[nodiscard]] Status harden_process();

// The folder of a local repository, found below one of the roots with no symbolic link in its path
// [P-XFER-18]. With `make`, folders that are missing are made, mode 0700. NotFound without it;
// InvalidArgument for a path that is below no root.
[[nodiscard]] Result<UniqueFd> open_local_repository(const std::string& path,
                                                     const std::vector<std::string>& roots,
                                                     bool make);

// Leaves the host's namespaces: mounts and IPC, and the network when the repository is local. What
// is shown in the sandbox has to be opened after this.
[[nodiscard]] Status leave_host(bool network);

// Enters it; there is no way back. Afterwards only paths of the table above exist.
[[nodiscard]] Status enter_sandbox(const SandboxPlan& plan);

}  // namespace lvmd::transfers::mover
