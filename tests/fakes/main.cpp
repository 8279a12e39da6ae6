// fake-node: runs the fake node until its standard input ends, for contract tests and grpcurl by
// hand.
#include <unistd.h>

#include <array>
#include <cstdio>

#include "tests/fakes/fake_node.hpp"

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fmt::print(stderr,
               "Usage: fake-node LVMD-SERVER\n\n"
               "Starts this lvmd-server with volume groups that exist in memory only, prints the\n"
               "sockets' paths and serves until its standard input ends (Ctrl-D).\n");
    return 2;
  }
  const auto node = lvmd::fakes::FakeNode::start(
      {.server = argv[1], .full_groups = {::getegid()}, .read_only_groups = {::getegid()}});
  if (!node) {
    fmt::print(stderr, "fake-node: {}\n", describe(node.error()));
    return 1;
  }
  fmt::print("LVMD_CONTRACT_SOCKET={}\nread-only: {}\n", (*node)->socket(),
             (*node)->read_only_socket());
  static_cast<void>(std::fflush(stdout));
  std::array<char, 4096> ignored{};
  while (::read(STDIN_FILENO, ignored.data(), ignored.size()) > 0) {
  }
  return 0;
}
