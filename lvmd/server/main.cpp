// lvmd-server: the gRPC part of lvmd, without any privilege.
#include <google/protobuf/stubs/logging.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/program.hpp"
#include "lvmd/server/serve.hpp"

namespace {

constexpr std::string_view kHelp =
    R"(Usage: lvmd-server [--help | --version]

The gRPC server of lvmd. lvmd starts it, with a control channel as its standard
input; it does not run alone. To run the service: systemctl start lvmd, or
"lvmd --config FILE". See lvmd(8).
)";

lvmd::Status serve() {
  // This process handles credentials: no other process may read its memory, and no core file may
  // contain it [P-XFER-5].
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  // A terminal's Ctrl-C reaches the whole process group. Only the supervisor handles it.
  static_cast<void>(std::signal(SIGINT, SIG_IGN));
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  // Without this, the library logs every string field from a caller that is not UTF-8 [P-SOCK-26].
  google::protobuf::SetLogHandler(nullptr);
  lvmd::ipc::Channel control{lvmd::UniqueFd{STDIN_FILENO}};
  return lvmd::server::serve(control, &lvmd::server::make_modules);
}

}  // namespace

int main(int argc, char** argv) {
  return lvmd::ipc::run_main(argc, argv,
                             {.name = "lvmd-server", .help = kHelp, .started_by = "lvmd"}, &serve);
}
