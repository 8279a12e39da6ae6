// The system suite: lvmd as a user runs it, on a real kernel with real LVM. Needs the test VM
// (`./dev test --suite system`); it makes volume groups on the VM's data disks.
#include "tests/catch_runner/run_cases.hpp"
#include "tests/system/stage.hpp"

int main(int argc, char** argv) {
  return lvmd::catch_runner::run_cases(argc, argv, [] {
    lvmd::system_tests::set_the_stage();
    return "";
  });
}
