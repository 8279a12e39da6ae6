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
#include <sstream>

#include "lvmd/transfers/launcher/mover_processes.hpp"
#include "lvmd/transfers/record/record_files.hpp"
#include "lvmd/transfers/record/record_lock.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/launcher/reaping.hpp"
#include "tests/unit/transfers/launcher/sample_job.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace lvmd::supervisor;
using transfers::TransferKey;

namespace {

const TransferKey kStarted{.operation = v1::OPERATION_BACKUP, .id = "backup-1"};

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

// The only line of the file.
std::string line_of(const std::string& path) {
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

TEST_CASE(
    "without systemd a mover is a child process in its own session, with its job on standard input "
    "[P-XFER-4, P-XFER-19]",
    "[supervisor]") {
  const ScratchDirectory directory;
  MoverProcesses processes{directory.file("")};
  const std::string program =
      directory.write("mover",
                      "#!/bin/sh\n"
                      "{ cat; echo \" $1 $$ $(cut -d' ' -f6 /proc/$$/stat)\"; } > $0.unfinished\n"
                      "mv $0.unfinished $0.seen\n");
  REQUIRE(::chmod(program.c_str(), 0755) == 0);
  const auto started = start(processes, program, "job");
  REQUIRE(started);
  CHECK(*started);
  const auto nothing = [] {};
  REQUIRE(reap_until(nothing, [&] { return std::filesystem::exists(program + ".seen"); }));
  std::istringstream seen{line_of(program + ".seen")};
  std::string job;
  std::string title;
  std::string id;
  pid_t pid = 0;
  pid_t session = 0;
  seen >> job >> title >> id >> pid >> session;
  CHECK(job == "job");
  CHECK(title + " " + id == "backup backup-1");
  REQUIRE(pid > 1);
  CHECK(session == pid);
  // An ended child stays a zombie until it is waited for.
  CHECK(reap_until([&] { processes.reap(); }, [pid] { return ::kill(pid, 0) != 0; }));
}

TEST_CASE("a mover that can't be executed fails at once", "[supervisor]") {
  const ScratchDirectory directory;
  MoverProcesses processes{directory.file("")};
  const auto started = start(processes, "/nonexistent/lvmd-mover", "");
  REQUIRE(started);
  REQUIRE_FALSE(*started);
  CHECK(started->error().message.find("/nonexistent/lvmd-mover") != std::string::npos);
}

TEST_CASE("only the process that holds the transfer's lock gets SIGTERM [P-XFER-15]",
          "[supervisor]") {
  const ScratchDirectory directory;
  const std::filesystem::path records{directory.file("")};
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const UniqueFd reported{ends[0]};
  const UniqueFd reporting{ends[1]};
  const auto named = GENERATE(std::string{"lvmd-mover"}, std::string{"something"});
  const bool locks = GENERATE(true, false);
  pid_t pid = -1;
  {
    const auto lock = transfers::RecordLock::take(records, kStarted);
    REQUIRE(lock);
    pid = ::fork();
    REQUIRE(pid >= 0);
    if (pid == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      // Catch2's handler would write a report.
      static_cast<void>(std::signal(SIGTERM, SIG_DFL));
      // Sets the name in /proc; the parent waits for the byte that confirms it.
      ::prctl(PR_SET_NAME, named.c_str());
      if (::write(reporting.get(), "x", 1) != 1) ::_exit(1);
      for (;;) ::pause();
    }
  }
  char byte = 0;
  REQUIRE(::read(reported.get(), &byte, 1) == 1);
  if (!locks) std::filesystem::remove(records / transfers::lock_name(kStarted));
  internal::TransferRecord record =
      transfers::new_record(sample_backup(), std::chrono::system_clock::now());
  record.mutable_transfer()->set_phase(v1::PHASE_RUNNING);
  record.set_pid(static_cast<std::uint32_t>(pid));
  REQUIRE(transfers::write_record(records, record));
  MoverProcesses processes{records};
  std::optional<Status> stopped;
  processes.stop(kStarted, [&stopped](Status done) { stopped = std::move(done); });
  REQUIRE(stopped);
  CHECK(*stopped);
  // Ends the child in every case; where SIGTERM was sent, it came first.
  if (named != "lvmd-mover" || !locks) ::kill(pid, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == (named == "lvmd-mover" && locks ? SIGTERM : SIGKILL));
}
