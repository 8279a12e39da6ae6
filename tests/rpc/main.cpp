// The suite `rpc`: the contract cases on one fake node, and what only a fake node can show.
#define CATCH_CONFIG_RUNNER
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/rpc/rig.hpp"

int main(int argc, char** argv) {
  Catch::Session session;
  if (const int wrong = session.applyCommandLine(argc, argv); wrong != 0) return wrong;
  const bool only_lists = session.configData().listTests ||
                          session.configData().listTestNamesOnly || session.configData().listTags ||
                          session.configData().showHelp;
  if (only_lists) return session.run();
  const auto node = lvmd::fakes::FakeNode::start({.server = lvmd::rpc::server_path(),
                                                  .full_groups = {::getegid()},
                                                  .read_only_groups = {::getegid()}});
  if (!node) {
    fmt::print(stderr, "rpc-tests: {}\n", describe(node.error()));
    return 1;
  }
  ::setenv("LVMD_CONTRACT_SOCKET", (*node)->socket().c_str(), 1);
  return session.run();
}
