// lvmd-mover performs one transfer. lvmd starts it.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <string_view>

#include "lvmd/base/log.hpp"
#include "lvmd/base/unique_fd.hpp"
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
  return do_transfer(*job);
}

}  // namespace
}  // namespace lvmd::transfers::mover

int main(int argc, char** argv) {
  if (argc > 1) {
    const std::string_view argument{argv[1]};
    if (argument == "--version") return std::puts("lvmd-mover " LVMD_VERSION) < 0 ? 1 : 0;
    const char* const help =
        "lvmd starts one lvmd-mover for each transfer, with the job as its standard input. Do not "
        "start it yourself. See lvmd(8).";
    if (argument == "--help") return std::puts(help) < 0 ? 1 : 0;
    // "lvmd-mover <TRANSFER>": the argument is only for ps(1).
  }
  lvmd::log::init("lvmd-mover");
  try {
    const auto done = lvmd::transfers::mover::serve();
    // The record contains the result, also of a failed transfer.
    if (done) return 0;
    lvmd::log::error(lvmd::describe(done.error()));
  } catch (const std::exception& unexpected) {
    lvmd::log::error(fmt::format("unexpected: {}", unexpected.what()));
  }
  return 1;
}
