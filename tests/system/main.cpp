// The system suite: lvmd as a user runs it, on a real kernel with real LVM. Needs the test VM
// (`./dev test --suite system`); it makes volume groups on the VM's data disks.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/system/stage.hpp"

int main(int argc, char** argv) {
  Catch::Session session;
  if (const int wrong = session.applyCommandLine(argc, argv); wrong != 0) return wrong;
  const Catch::ConfigData& config = session.configData();
  if (!config.listTests && !config.listTestNamesOnly && !config.listTags && !config.showHelp)
    lvmd::system_tests::set_the_stage();
  return session.run();
}
