// lvmd-mover performs one transfer. lvmd starts it.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/program.hpp"
#include "lvmd/transfers/mover/job_input.hpp"
#include "lvmd/transfers/mover/mover.hpp"
#include "lvmd/transfers/mover/sandbox.hpp"

namespace lvmd::transfers::mover {
namespace {

// Closes the job. /dev/null takes its descriptor number, so that no other file gets it.
Status close_input() {
  const UniqueFd nothing{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
  if (!nothing || ::dup2(nothing.get(), STDIN_FILENO) < 0) return fail_errno(errno, "/dev/null");
  return {};
}

Status serve() {
  if (auto hardened = harden_process(); !hardened) return hardened;
  const auto job = read_job(STDIN_FILENO);
  if (!job) return std::unexpected(job.error());
  if (auto closed = close_input(); !closed) return closed;
  // The record contains the result, also of a failed transfer.
  return do_transfer(*job);
}

}  // namespace
}  // namespace lvmd::transfers::mover

int main(int argc, char** argv) {
  return lvmd::ipc::run_main(
      argc, argv,
      {.name = "lvmd-mover",
       .help = "lvmd starts one lvmd-mover for each transfer, with the job as its standard input. "
               "Do not start it yourself. See lvmd(8).\n"},
      &lvmd::transfers::mover::serve);
}
