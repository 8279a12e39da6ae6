#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <optional>

#include "lvmd/transfers/launcher/restic_probe.hpp"
#include "lvmd/transfers/launcher/restic_version.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/launcher/reaping.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace lvmd::supervisor;

namespace {

using Found = Result<ResticVersion>;

// Why it can't be used; empty: it can.
std::string problem(const Found& found) { return found ? "" : found.error().message; }

std::string problem_of(const std::string& output) {
  return problem(usable_version("/usr/bin/restic", output));
}

// The probe's answer for this script.
Found answer_about(const ScratchDirectory& directory, const std::string& script) {
  const std::string program = directory.write("restic", "#!/bin/sh\n" + script);
  REQUIRE(::chmod(program.c_str(), 0755) == 0);
  std::optional<Found> answer;
  ResticProbe probe{program, [&answer](const Found& found) { answer = found; }};
  REQUIRE(reap_until([&probe] { probe.reap(); }, [&answer] { return answer.has_value(); }));
  return *answer;
}

}  // namespace

TEST_CASE("restic's version is parsed from its output [P-XFER-17]", "[supervisor]") {
  CHECK(parse_restic_version("restic 0.18.1 compiled with go1.24.4 on linux/amd64\n") ==
        ResticVersion{.major = 0, .minor = 18, .patch = 1});
  CHECK(parse_restic_version("restic 0.17.0-dev (compiled manually) compiled with go1.23\n") ==
        ResticVersion{.major = 0, .minor = 17, .patch = 0});
  CHECK(parse_restic_version("restic 1.2 compiled with go1.24.4") ==
        ResticVersion{.major = 1, .minor = 2, .patch = 0});
  for (const char* const text : {"", "restic", "restic v0.18", "bash: restic: not found",
                                 "restic .5", "rclone 0.18.1", "restic 99999999999.1.1"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_restic_version(text));
  }
}

TEST_CASE("a restic older than 0.17 is refused, and the message names its version [P-XFER-17]",
          "[supervisor]") {
  CHECK(problem_of("restic 0.17.0 compiled").empty());
  CHECK(problem_of("restic 0.18.1 compiled").empty());
  CHECK(problem_of("restic 1.0.0 compiled").empty());
  CHECK(problem_of("restic 0.16.5 compiled")
            .starts_with(
                "/usr/bin/restic is restic 0.16.5, transfers need 0.17 or newer: install restic"));
  CHECK(problem_of("what?").contains("has not printed a version of restic"));
}

TEST_CASE("the version of the host's restic is read once, in a separate process [P-XFER-17]",
          "[supervisor]") {
  const ScratchDirectory directory;
  CHECK(answer_about(directory, "test $1 = version && echo 'restic 0.18.1 compiled'") ==
        ResticVersion{.major = 0, .minor = 18, .patch = 1});
  CHECK(problem(answer_about(directory, "echo 'restic 0.14.0 compiled'"))
            .contains("is restic 0.14.0"));
  CHECK(problem(answer_about(directory, "exit 3")).contains("has not printed a version"));
}

TEST_CASE("a missing restic is reported with its path [P-XFER-17]", "[supervisor]") {
  std::string answer;
  const ResticProbe probe{"/nonexistent/restic",
                          [&answer](const Found& found) { answer = problem(found); }};
  CHECK(answer.find("/nonexistent/restic: No such file or directory") == 0);
  CHECK(answer.find("transfers.restic") != std::string::npos);
  CHECK_FALSE(probe.next_due());
}

TEST_CASE("a restic that prints nothing is killed at the time limit, and run again later",
          "[supervisor]") {
  const ScratchDirectory directory;
  const std::string program = directory.write("restic", "#!/bin/sh\nexec sleep 1000\n");
  REQUIRE(::chmod(program.c_str(), 0755) == 0);
  std::string answer;
  std::optional<Found> last;
  ResticProbe probe{program, [&](const Found& found) {
                      answer = problem(found);
                      last = found;
                    }};
  const auto due = probe.next_due();
  REQUIRE(due);
  probe.process(*due);
  REQUIRE(reap_until([&probe] { probe.reap(); }, [&answer] { return !answer.empty(); }));
  CHECK(answer.find("has not printed its version within 10 s") != std::string::npos);

  static_cast<void>(directory.write("restic", "#!/bin/sh\necho 'restic 0.18.1 compiled'\n"));
  last.reset();
  const auto again = probe.next_due();
  REQUIRE(again);
  probe.process(*again);
  REQUIRE(reap_until([&probe] { probe.reap(); }, [&last] { return last.has_value(); }));
  CHECK(*last == ResticVersion{.major = 0, .minor = 18, .patch = 1});
  CHECK_FALSE(probe.next_due());
}
