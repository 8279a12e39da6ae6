// Catch2 itself is compiled here, once for all programs of cases: it takes as long as ten of them.
#define CATCH_CONFIG_RUNNER
#include "tests/catch_runner/run_cases.hpp"

#include <catch2/catch.hpp>
#include <iostream>

namespace lvmd::catch_runner {

int run_cases(int argc, char** argv, const std::function<std::string()>& set_up) {
  Catch::Session session;
  if (const int wrong = session.applyCommandLine(argc, argv); wrong != 0) return wrong;
  const Catch::ConfigData& config = session.configData();
  if (!config.listTests && !config.listTestNamesOnly && !config.listTags && !config.showHelp) {
    if (const std::string reason = set_up(); !reason.empty()) {
      std::cerr << argv[0] << ": " << reason << '\n';
      return 2;
    }
  }
  return session.run();
}

}  // namespace lvmd::catch_runner
