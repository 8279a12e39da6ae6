#include <signal.h>

#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "lvmd/transfers/mover/program.hpp"
#include "lvmd/transfers/mover/supervision.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;
using std::chrono_literals::operator""s;

namespace {

struct Supervised {
  supervisor::ScratchDirectory directory;
  internal::MoverJob job = transfers::sample_job();
  std::optional<RecordWriter> record;
  std::optional<Supervision> supervision;

  // Supervision blocks signals in the whole process.
  sigset_t signals{};

  Supervised() {
    REQUIRE(::pthread_sigmask(SIG_BLOCK, nullptr, &signals) == 0);
    job.mutable_settings()->set_record_directory(directory.file(""));
    job.mutable_settings()->set_stall_seconds(600);
    auto begun = RecordWriter::begin(job);
    REQUIRE(begun);
    record.emplace(*std::move(begun));
    auto supervised = Supervision::begin(job, *record);
    REQUIRE(supervised);
    supervision.emplace(*std::move(supervised));
  }

  Supervised(const Supervised&) = delete;
  Supervised& operator=(const Supervised&) = delete;
  ~Supervised() { ::pthread_sigmask(SIG_SETMASK, &signals, nullptr); }

  [[nodiscard]] static Program shell(const std::string& script) {
    Program program;
    program.command = {.arguments = {"/bin/sh", "-c", script},
                       .environment = {"PATH=/usr/bin:/bin"}};
    return program;
  }
};

TransferFailure refused(std::string_view why) {
  return failed(code::kVerification, cause::kMoverFailed, std::string{why}).error();
}

}  // namespace

TEST_CASE("programs run at the same time, and each passes its output and its code on [P-XFER-10]",
          "[mover]") {
  Supervised world;
  const std::string pipe = world.directory.file("pipe");
  std::string output;
  std::array<int, 2> codes{-1, -1};
  // Each waits for the other one.
  std::array programs{Supervised::shell("mkfifo " + pipe + " 2>/dev/null; echo one; echo ready >" +
                                        pipe + "; exit 3"),
                      Supervised::shell("mkfifo " + pipe + " 2>/dev/null; cat " + pipe)};
  for (Program& program : programs)
    program.on_output = [&output](std::string_view bytes) -> std::optional<TransferFailure> {
      output += bytes;
      return std::nullopt;
    };
  programs[0].on_exit = [&codes](int code) -> std::optional<TransferFailure> {
    codes[0] = code;
    return std::nullopt;
  };
  programs[1].on_exit = [&codes](int code) -> std::optional<TransferFailure> {
    codes[1] = code;
    return std::nullopt;
  };
  REQUIRE(run(programs, *world.supervision));
  CHECK(codes == std::array{3, 0});
  CHECK(output.contains("one\n"));
  CHECK(output.contains("ready\n"));
}

TEST_CASE("the failure of one program stops the others [P-XFER-10]", "[mover]") {
  Supervised world;
  const auto begin = std::chrono::steady_clock::now();
  std::array programs{Supervised::shell("exec sleep 300"),
                      Supervised::shell("echo differs; exec sleep 300"),
                      Supervised::shell("exit 1")};
  std::string why = "a line of output";
  SECTION("a handler of output") {
    programs[1].on_output = [](std::string_view) {
      return std::optional{refused("a line of output")};
    };
  }
  SECTION("a handler of the exit code") {
    why = "an exit code";
    programs[2].on_exit = [](int code) {
      return code == 1 ? std::optional{refused("an exit code")} : std::nullopt;
    };
  }
  SECTION("a program that cannot be started") {
    programs[2].command.arguments = {"/nonexistent/program"};
    why = "/nonexistent/program";
  }
  const auto ended = run(programs, *world.supervision);
  REQUIRE_FALSE(ended);
  CHECK(ended.error().error.message().contains(why));
  CHECK(std::chrono::steady_clock::now() - begin < 200s);
}
