// The contract tests on the external backend: each LVM command that lvmd needs is a run of the lvm
// program, by a prefix that leaves a trace.
#include <catch2/catch.hpp>
#include <string>

#include "tests/catch_runner/run_cases.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;

TEST_CASE("each change runs the lvm program of lvm-command-prefix [P-EXT-1]", "[system]") {
  Scratch scratch;
  must("truncate -s 0 /run/lvm-commands");
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  CHECK(shell("grep -E '^lvcreate .* -n " + name + " .* --config global' /run/lvm-commands")
            .exit_code == 0);
  REQUIRE(scratch.client.resize(resize_request("thick", name, 16 * kMiB)).ok());
  REQUIRE(scratch.client.remove(remove_request("thick", name)).ok());
  CHECK(shell("grep '^lvresize ' /run/lvm-commands").exit_code == 0);
  CHECK(shell("grep '^lvremove ' /run/lvm-commands").exit_code == 0);
}

int main(int argc, char** argv) {
  return lvmd::catch_runner::run_cases(argc, argv, []() -> std::string {
    const Done made = shell(R"(cat > /usr/local/sbin/traced-lvm <<'END' &&
#!/bin/sh
printf '%s\n' "$*" >> /run/lvm-commands
exec /sbin/lvm "$@"
END
chmod 755 /usr/local/sbin/traced-lvm)");
    if (made.exit_code != 0) return "no traced-lvm: " + made.output;
    set_the_stage("lvm-command-prefix: [/usr/local/sbin/traced-lvm]\n");
    return {};
  });
}
