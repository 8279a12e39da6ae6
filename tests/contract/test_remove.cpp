#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"

using namespace lvmd;
using namespace lvmd::contract;

TEST_CASE("a removed volume is not listed, and its space is free again [P-REMOVE-5]",
          "[contract]") {
  const std::string device_class = GENERATE("thick", "thin", "striped");
  Scratch scratch;
  CAPTURE(device_class);
  const std::int64_t free = free_bytes(scratch.client, device_class);
  const std::string name = scratch.name(device_class);
  REQUIRE(scratch.client.create(create_request(device_class, name, 2 * kExtent)).ok());
  CHECK(free_bytes(scratch.client, device_class) == free - 2 * kExtent);
  const auto answer = scratch.client.remove(remove_request(device_class, name));
  INFO(answer.message);
  REQUIRE(answer.ok());
  CHECK(listed(scratch.client, device_class, name).name().empty());
  CHECK(free_bytes(scratch.client, device_class) == free);
  CHECK(scratch.client.remove(remove_request(device_class, name)).code == Code::kNotFound);
}

TEST_CASE("a missing volume is NOT_FOUND, and the error names it [P-REMOVE-1]", "[contract]") {
  Scratch scratch;
  const auto answer = scratch.client.remove(remove_request("thick", "no-such-volume"));
  CHECK(answer.code == Code::kNotFound);
  CHECK(answer.says("no-such-volume"));
}

TEST_CASE("a pool can't be removed [P-REMOVE-2]", "[contract]") {
  const std::string device_class = GENERATE("thick", "thin");
  Scratch scratch;
  const auto answer = scratch.client.remove(remove_request(device_class, "pool"));
  CHECK(answer.code == Code::kFailedPrecondition);
  CHECK(answer.says("pool"));
}

TEST_CASE("a volume of another class can't be removed [P-REMOVE-2, P-CODE-6]", "[contract]") {
  Scratch scratch;
  const std::string name = scratch.name("thin");
  REQUIRE(scratch.client.create(create_request("thin", name, kExtent)).ok());
  CHECK(scratch.client.remove(remove_request("thick", name)).code == Code::kFailedPrecondition);
  CHECK(listed(scratch.client, "thin", name).name() == name);
}
