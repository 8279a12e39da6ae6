#include "tests/rpc/rig.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

namespace lvmd::rpc {

std::string server_path() {
  const char* const path = std::getenv("LVMD_SERVER");
  return path == nullptr ? LVMD_SERVER_OF_THIS_BUILD : path;
}

std::unique_ptr<fakes::FakeNode> start_node() { return start_node({::getegid()}, {::getegid()}); }

std::unique_ptr<fakes::FakeNode> start_node(std::vector<gid_t> full_groups,
                                            std::vector<gid_t> read_only_groups) {
  auto node = fakes::FakeNode::start({.server = server_path(),
                                      .full_groups = std::move(full_groups),
                                      .read_only_groups = std::move(read_only_groups)});
  if (!node) FAIL(describe(node.error()));
  return std::move(*node);
}

}  // namespace lvmd::rpc
