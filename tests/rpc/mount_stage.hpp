// A node with a volume for the cases of MountService.
#pragma once

#include <catch2/catch.hpp>
#include <memory>

#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

namespace lvmd::rpc {

// A node with the volume "one" in class thick.
inline std::unique_ptr<fakes::FakeNode> node_with_volume() {
  auto node = start_node();
  REQUIRE(contract::Client{node->socket()}
              .create(contract::create_request("thick", "one", contract::kExtent))
              .ok());
  return node;
}

}  // namespace lvmd::rpc
