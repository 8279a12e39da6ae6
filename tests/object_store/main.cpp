#include "tests/catch_runner/run_cases.hpp"

int main(int argc, char** argv) {
  return lvmd::catch_runner::run_cases(argc, argv, [] { return ""; });
}
