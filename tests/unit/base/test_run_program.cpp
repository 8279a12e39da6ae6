#include <catch2/catch.hpp>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "lvmd/base/run_program.hpp"

using namespace lvmd;

namespace {

constexpr auto kLong = std::chrono::seconds{60};

Result<std::string> shell(const std::string& script, std::chrono::milliseconds time_limit = kLong) {
  const std::vector<std::string> arguments{"-c", script};
  auto printed = run_program("/bin/sh", arguments, time_limit);
  if (!printed) return std::unexpected(printed.error());
  return std::move(printed->out);
}

}  // namespace

TEST_CASE("run_program returns the complete output", "[metadata]") {
  CHECK(shell("echo hello; echo ignored >&2") == "hello\n");
  // More than the capacity of a pipe, on both outputs at once.
  const auto much = shell(
      "i=0; while [ $i -lt 3000 ]; do echo 0123456789012345678901234567890; "
      "echo 0123456789012345678901234567890 >&2; i=$((i+1)); done");
  REQUIRE(much);
  CHECK(much->size() == std::size_t{3000} * 32);
}

TEST_CASE("run_program passes an empty input and a minimal environment", "[metadata]") {
  CHECK(shell("cat; echo $LC_ALL $HOME") == "C\n");
}

TEST_CASE("the error of a failed program contains its standard error", "[metadata]") {
  const auto result = shell("echo partial; echo 'no such group' >&2; exit 5");
  REQUIRE_FALSE(result);
  CHECK(result.error() == Error{Code::kInternal, "/bin/sh failed with exit code 5: no such group"});
}

TEST_CASE("the error of a killed program contains the signal", "[metadata]") {
  const auto result = shell("kill -9 $$");
  REQUIRE_FALSE(result);
  CHECK(result.error().message.starts_with("/bin/sh was killed by signal 9"));
}

TEST_CASE("a missing program is Internal", "[metadata]") {
  const auto result = run_program("/nonexistent/lvm", {}, kLong);
  REQUIRE_FALSE(result);
  CHECK(result.error().code == Code::kInternal);
}

TEST_CASE("a program is killed at its time limit", "[metadata]") {
  const auto* const script = GENERATE("exec sleep 600", "exec sleep 600 >&- 2>&-");
  const auto result = shell(script, std::chrono::milliseconds{50});
  REQUIRE_FALSE(result);
  CHECK(result.error().code == Code::kDeadlineExceeded);
  CHECK(result.error().message.ends_with("was killed: it ran longer than 50 ms"));
}
