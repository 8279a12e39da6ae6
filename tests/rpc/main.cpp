// The suite `rpc`: the contract cases on one fake node, and cases that need a fake node.
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "tests/catch_runner/run_cases.hpp"
#include "tests/rpc/rig.hpp"

int main(int argc, char** argv) {
  std::unique_ptr<lvmd::fakes::FakeNode> node;
  return lvmd::catch_runner::run_cases(argc, argv, [&node]() -> std::string {
    auto started = lvmd::fakes::FakeNode::start({.server = lvmd::rpc::server_path(),
                                                 .full_groups = {::getegid()},
                                                 .read_only_groups = {::getegid()}});
    if (!started) return describe(started.error());
    node = std::move(*started);
    ::setenv("LVMD_CONTRACT_SOCKET", node->socket().c_str(), 1);
    return {};
  });
}
