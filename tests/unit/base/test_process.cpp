#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <utility>

#include "lvmd/base/process.hpp"

using namespace lvmd;

namespace {

// Reads a pipe to its end.
std::string read_to_end(const UniqueFd& fd) {
  std::string text;
  std::array<char, 256> buffer{};
  for (;;) {
    pollfd readable{fd.get(), POLLIN, 0};
    if (::poll(&readable, 1, 10'000) != 1) return text + " (no end)";
    const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

// Runs a shell script; the caller gets its output.
ProcessSpec scripted(const std::string& script) {
  return {.arguments = {"sh", "-c", script}, .output = ProcessSpec::kPipe};
}

std::string output_of(const ProcessSpec& spec) {
  auto process = Process::start(spec);
  REQUIRE(process);
  const std::string text = read_to_end(process->output);
  CHECK(process->wait() == ExitStatus{});
  return text;
}

bool runs(pid_t pid) { return ::kill(pid, 0) == 0; }

}  // namespace

TEST_CASE("a process has a minimal environment and an empty input", "[base]") {
  CHECK(output_of(scripted("cat; env | grep -v '^_=' | grep -v '^PWD=' | sort")) ==
        "LC_ALL=C\nPATH=/usr/sbin:/usr/bin:/sbin:/bin\n");
  auto spec = scripted("echo $ONE $LC_ALL");
  spec.environment = {{"ONE=1"}};
  CHECK(output_of(spec) == "1\n");
}

TEST_CASE("the caller's ends of pipes do not block", "[base]") {
  auto spec = scripted("read line; echo \"got $line\"; echo warning >&2");
  spec.input = spec.errors = ProcessSpec::kPipe;
  auto process = Process::start(spec);
  REQUIRE(process);
  char byte = 0;
  CHECK(::read(process->output.get(), &byte, 1) == -1);
  CHECK(errno == EAGAIN);
  CHECK(::write(process->input.get(), "a line\n", 7) == 7);
  CHECK(read_to_end(process->output) == "got a line\n");
  CHECK(read_to_end(process->errors) == "warning\n");
  CHECK(process->wait() == ExitStatus{});
}

TEST_CASE("a process inherits only the listed descriptors", "[base]") {
  const UniqueFd listed{::memfd_create("listed", MFD_CLOEXEC)};
  const UniqueFd unlisted{::memfd_create("unlisted", 0)};
  auto spec = scripted("readlink /proc/self/fd/* | grep memfd");
  spec.inherited = {listed.get()};
  CHECK(output_of(spec) == "/memfd:listed (deleted)\n");
}

TEST_CASE("an open file is executed instead of the first argument", "[base]") {
  const UniqueFd file{::open("/bin/echo", O_PATH | O_CLOEXEC)};
  CHECK(output_of({.arguments = {"a name", "text"},
                   .executable = file.get(),
                   .output = ProcessSpec::kPipe}) == "text\n");
}

TEST_CASE("a program that cannot be executed is an error of start", "[base]") {
  const auto missing = Process::start({.arguments = {"/nonexistent/program"}});
  REQUIRE_FALSE(missing);
  CHECK(missing.error() ==
        Error{Code::kInternal, "cannot start /nonexistent/program: No such file or directory"});
}

TEST_CASE("the hook runs in the new process, and its error is an error of start", "[base]") {
  const pid_t caller = ::getpid();
  auto spec = scripted("grep NoNewPrivs /proc/self/status");
  spec.before_exec = [caller]() -> Status {
    if (::getpid() == caller) return fail(Code::kInternal, "runs in the caller");
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail_errno(errno, "prctl");
    return {};
  };
  CHECK(output_of(spec) == "NoNewPrivs:\t1\n");
  CHECK(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);

  spec.before_exec = []() -> Status { return fail(Code::kPermissionDenied, "no sandbox"); };
  const auto failed = Process::start(spec);
  REQUIRE_FALSE(failed);
  CHECK(failed.error() == Error{Code::kInternal, "cannot start sh: no sandbox"});
}

TEST_CASE("a program has the host's setting for huge pages, not its caller's", "[base]") {
  REQUIRE(::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0);
  auto spec = scripted("echo started");
  spec.before_exec = []() -> Status {
    if (::prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) != 0) return fail(Code::kInternal, "disabled");
    return {};
  };
  CHECK(output_of(spec) == "started\n");
  REQUIRE(::prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0) == 0);
}

TEST_CASE("the exit status has a code or a signal, and a text", "[base]") {
  auto exited = Process::start(scripted("exit 5"));
  REQUIRE(exited);
  const auto code = exited->wait();
  CHECK(code == ExitStatus{.code = 5});
  CHECK(describe(*code) == "failed with exit code 5");
  auto killed = Process::start(scripted("kill -9 $$"));
  REQUIRE(killed);
  const auto signal = killed->wait();
  CHECK(signal == ExitStatus{.signal = SIGKILL});
  CHECK(describe(*signal) == "was killed by signal 9");
}

TEST_CASE("try_wait does not wait, and the pidfd becomes readable at the end", "[base]") {
  auto process = Process::start(scripted("exec sleep 600"));
  REQUIRE(process);
  CHECK_FALSE(process->try_wait().value());
  process->kill(SIGTERM);
  pollfd end{process->pidfd(), POLLIN, 0};
  REQUIRE(::poll(&end, 1, 10'000) == 1);
  CHECK(process->try_wait().value() == ExitStatus{.signal = SIGTERM});
}

TEST_CASE("a process that was not reaped is killed by the destructor", "[base]") {
  pid_t pid = 0;
  {
    auto process = Process::start(scripted("exec sleep 600"));
    REQUIRE(process);
    const Process moved{std::move(*process)};
    pid = moved.pid();
    CHECK(runs(pid));
  }
  CHECK_FALSE(runs(pid));
}

TEST_CASE("signal mask and process group are set as requested", "[base]") {
  sigset_t set;
  sigset_t before;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  REQUIRE(::pthread_sigmask(SIG_BLOCK, &set, &before) == 0);
  ProcessSpec spec{.arguments = {"grep", "SigBlk", "/proc/self/status"},
                   .output = ProcessSpec::kPipe};
  CHECK(output_of(spec) == "SigBlk:\t0000000000000000\n");
  spec.keep_signal_mask = true;
  CHECK(output_of(spec) == "SigBlk:\t0000000000004000\n");
  REQUIRE(::pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);

  auto process = Process::start(scripted("exec sleep 600"));
  REQUIRE(process);
  CHECK(::getpgid(process->pid()) == ::getpgrp());
  spec = scripted("exec sleep 600");
  spec.group = ProcessSpec::Group::kOwn;
  auto grouped = Process::start(spec);
  REQUIRE(grouped);
  CHECK(::getpgid(grouped->pid()) == grouped->pid());
  CHECK(::getsid(grouped->pid()) == ::getsid(0));
  spec.group = ProcessSpec::Group::kOwnSession;
  auto session = Process::start(spec);
  REQUIRE(session);
  CHECK(::getsid(session->pid()) == session->pid());
}
