#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "lvmd/supervisor/options.hpp"

using namespace lvmd::supervisor;

namespace {

Parsed parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "lvmd");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data());
}

}  // namespace

TEST_CASE("without arguments lvmd serves with the default configuration file [P-CLI-1]",
          "[supervisor]") {
  const auto parsed = parse({});
  REQUIRE(parsed.options);
  CHECK(parsed.options->action == Action::kServe);
  CHECK(parsed.options->config_path == "/etc/topolvm/lvmd.yaml");
  CHECK_FALSE(parsed.options->metrics_flag);
}

TEST_CASE("sub-commands accept a file [P-CLI-3, P-CLI-4, P-CLI-11]", "[supervisor]") {
  const auto check = parse({"check-config", "/tmp/x.yaml"});
  REQUIRE(check.options);
  CHECK(check.options->action == Action::kCheckConfig);
  CHECK(check.options->config_path == "/tmp/x.yaml");
  const auto health = parse({"health", "--config", "/tmp/y.yaml"});
  REQUIRE(health.options);
  CHECK(health.options->action == Action::kHealth);
  CHECK(health.options->config_path == "/tmp/y.yaml");
  const auto release = parse({"csi", "release-staging", "--config", "/tmp/z.yaml"});
  REQUIRE(release.options);
  CHECK(release.options->action == Action::kReleaseStaging);
  CHECK(release.options->config_path == "/tmp/z.yaml");
  CHECK_FALSE(parse({"csi"}).options);
}

TEST_CASE("--lvm-path names the program to run [P-CLI-9]", "[supervisor]") {
  const auto parsed = parse({"--lvm-path=/sbin/lvm"});
  REQUIRE(parsed.options);
  CHECK(parsed.options->lvm_path == "/sbin/lvm");
  CHECK(parsed.options->without_effect.empty());
}

TEST_CASE("TopoLVM's flags without effect are accepted and named [P-CLI-5]", "[supervisor]") {
  const auto parsed = parse(
      {"--profiling-bind-address=:6060", "-v", "3", "--logtostderr", "--zap-log-level=debug"});
  REQUIRE(parsed.options);
  for (const char* const name :
       {"--profiling-bind-address", "-v", "--logtostderr", "--zap-log-level"}) {
    CAPTURE(name);
    CHECK(std::ranges::find(parsed.options->without_effect, name) !=
          parsed.options->without_effect.end());
  }
}

TEST_CASE("--metrics-bind-address is stored unchanged [P-CLI-8]", "[supervisor]") {
  const auto parsed = parse({"--metrics-bind-address=:8080"});
  REQUIRE(parsed.options);
  CHECK(parsed.options->metrics_flag == ":8080");
  CHECK(parsed.options->without_effect.empty());
}

TEST_CASE("any other argument is refused [P-CLI-6]", "[supervisor]") {
  for (const char* const argument : {"--wrong", "wrong"}) {
    CAPTURE(argument);
    const auto parsed = parse({argument});
    CHECK_FALSE(parsed.options);
    CHECK(parsed.exit_status != 0);
  }
  CHECK_FALSE(parse({"check-config"}).options);
}
