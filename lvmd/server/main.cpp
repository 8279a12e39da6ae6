// lvmd-server: the gRPC part of lvmd, without any privilege.
#include <google/protobuf/stubs/logging.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string_view>

#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/base/process_name.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/server/serve.hpp"

namespace {

constexpr int kUsageError = 2;

constexpr std::string_view kHelp =
    R"(Usage: lvmd-server [--help | --version]

The gRPC server of lvmd. lvmd starts it, with a control channel as its standard
input; it does not run alone. To run the service: systemctl start lvmd, or
"lvmd --config FILE". See lvmd(8).
)";

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    const std::string_view argument = argv[1];
    if (argc == 2 && argument == "--help") {
      fmt::print("{}", kHelp);
      return 0;
    }
    if (argc == 2 && argument == "--version") {
      fmt::print("lvmd-server {}\n", LVMD_VERSION);
      return 0;
    }
    fmt::print(stderr, "lvmd-server: unknown argument \"{}\"; see lvmd-server --help\n",
               argv[argc > 2 && (argument == "--help" || argument == "--version") ? 2 : 1]);
    return kUsageError;
  }
  if (!lvmd::ipc::is_socket(STDIN_FILENO)) {
    fmt::print(stderr,
               "lvmd-server: standard input is not a control channel: lvmd starts this "
               "program; see lvmd-server --help\n");
    return kUsageError;
  }

  lvmd::name_process("lvmd-server");
  lvmd::keep_one_heap();
  lvmd::log::init("lvmd-server");
  // This process handles credentials: no other process may read its memory, and no
  // core file may contain it [P-XFER-5].
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  // A terminal's Ctrl-C reaches the whole process group. Only the supervisor handles it.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  // Without this, the library logs every string field from a caller that is not UTF-8 [P-SOCK-26].
  google::protobuf::SetLogHandler(nullptr);
  lvmd::ipc::Channel control{lvmd::UniqueFd{STDIN_FILENO}};
  if (const auto served = lvmd::server::serve(control, &lvmd::server::make_modules); !served) {
    lvmd::log::error(describe(served.error()));
    return 1;
  }
  return 0;
}
