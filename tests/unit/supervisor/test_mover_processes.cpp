#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>

#include "lvmd/supervisor/mover_processes.hpp"
#include "lvmd/transfer/record_files.hpp"
#include "lvmd/transfer/record_lock.hpp"
#include "tests/unit/supervisor/sample_job.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::supervisor;
using transfer::TransferKey;

namespace {

const TransferKey kKey{.operation = v1::OPERATION_BACKUP, .id = "backup-1"};

UniqueFd file_with(std::string_view text) {
  UniqueFd fd{::memfd_create("job", MFD_CLOEXEC)};
  REQUIRE(::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  REQUIRE(::lseek(fd.get(), 0, SEEK_SET) == 0);
  return fd;
}

std::optional<Status> start(MoverProcesses& processes, const std::string& program,
                            std::string_view job) {
  std::optional<Status> result;
  processes.start(mover_unit(sample_backup(), program, {}), file_with(job),
                  [&result](Status done) { result = std::move(done); });
  return result;
}

void wait_for_a_child() {
  siginfo_t ended{};
  REQUIRE(::waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT) == 0);
}

}  // namespace

TEST_CASE(
    "without systemd a mover is a child in a session of its own, its job on standard input "
    "[P-XFER-4]",
    "[supervisor]") {
  const ScratchDirectory directory;
  MoverProcesses processes{directory.file("")};
  const std::string seen = directory.file("seen");
  const std::string program = directory.write(
      "mover",
      "#!/bin/sh\n{ cat; test $(cut -d' ' -f6 /proc/$$/stat) = $$ && echo ' own session'; } > " +
          seen + "\n");
  REQUIRE(::chmod(program.c_str(), 0755) == 0);
  const auto started = start(processes, program, "the job");
  REQUIRE(started);
  CHECK(*started);
  wait_for_a_child();
  processes.reap();
  std::ifstream file{seen};
  std::string text;
  std::getline(file, text);
  CHECK(text == "the job own session");
  // Nothing is left to be waited for.
  CHECK(::waitpid(-1, nullptr, WNOHANG) < 0);
}

TEST_CASE("a mover that can't be executed is an error at once", "[supervisor]") {
  const ScratchDirectory directory;
  MoverProcesses processes{directory.file("")};
  const auto started = start(processes, "/nonexistent/lvmd-mover", "");
  REQUIRE(started);
  REQUIRE_FALSE(*started);
  CHECK(started->error().message.find("/nonexistent/lvmd-mover") != std::string::npos);
}

TEST_CASE("only the process that holds the transfer's lock is asked to end [P-XFER-15]",
          "[supervisor]") {
  const ScratchDirectory directory;
  const std::filesystem::path records{directory.file("")};
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const UniqueFd told{ends[0]};
  UniqueFd telling{ends[1]};
  const auto named = GENERATE(std::string{"lvmd-mover"}, std::string{"something"});
  const bool locks = GENERATE(true, false);
  pid_t pid = -1;
  {
    const auto lock = transfer::RecordLock::take(records, kKey);
    REQUIRE(lock);
    pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      // As /proc shows it; the parent waits for the word that it is so.
      ::prctl(PR_SET_NAME, named.c_str());
      if (::write(telling.get(), "x", 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
  }
  char word = 0;
  REQUIRE(::read(told.get(), &word, 1) == 1);
  if (!locks) std::filesystem::remove(records / transfer::lock_name(kKey));
  internal::TransferRecord record =
      transfer::new_record(sample_backup(), std::chrono::system_clock::now());
  record.mutable_transfer()->set_phase(v1::PHASE_RUNNING);
  record.set_pid(static_cast<std::uint32_t>(pid));
  REQUIRE(transfer::write_record(records, record));
  MoverProcesses processes{records};
  std::optional<Status> stopped;
  processes.stop(kKey, [&stopped](Status done) { stopped = std::move(done); });
  REQUIRE(stopped);
  CHECK(*stopped);
  // Ends it in every case; SIGTERM came first where it was sent.
  if (named != "lvmd-mover" || !locks) ::kill(pid, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == (named == "lvmd-mover" && locks ? SIGTERM : SIGKILL));
}
