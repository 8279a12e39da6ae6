#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"

using namespace lvmd;
using namespace lvmd::contract;

TEST_CASE("a volume grows to the requested size, rounded up [P-RESIZE-5]", "[contract]") {
  const std::string device_class = GENERATE("thick", "thin", "striped");
  Scratch scratch;
  CAPTURE(device_class);
  const std::string name = scratch.name(device_class);
  REQUIRE(scratch.client.create(create_request(device_class, name, 2 * kExtent)).ok());
  const std::int64_t free = free_bytes(scratch.client, device_class);
  const auto answer = scratch.client.resize(resize_request(device_class, name, 3 * kExtent + 4096));
  INFO(answer.message);
  REQUIRE(answer.ok());
  CHECK(answer.response.size_bytes() == 4 * kExtent);
  CHECK(listed(scratch.client, device_class, name).size_bytes() == 4 * kExtent);
  CHECK(free_bytes(scratch.client, device_class) == free - 2 * kExtent);
  // A create request with the size at creation or the current size is identical, no other size
  // [P-IDEM-3].
  CHECK(scratch.client.create(create_request(device_class, name, 2 * kExtent)).ok());
  CHECK(scratch.client.create(create_request(device_class, name, 4 * kExtent)).ok());
  CHECK(scratch.client.create(create_request(device_class, name, 6 * kExtent)).code ==
        Code::kAlreadyExists);
}

TEST_CASE("a resize to the current size or less changes nothing [P-RESIZE-2]", "[contract]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 2 * kExtent)).ok());
  for (const std::int64_t size : {2 * kExtent, kExtent, std::int64_t{1}, std::int64_t{0}}) {
    const auto answer = scratch.client.resize(resize_request("thick", name, size));
    INFO(answer.message);
    REQUIRE(answer.ok());
    CHECK(answer.response.size_bytes() == 2 * kExtent);
  }
}

TEST_CASE("growth beyond GetFreeBytes is RESOURCE_EXHAUSTED [P-RESIZE-3]", "[contract]") {
  const std::string device_class = GENERATE("thick", "thin");
  Scratch scratch;
  CAPTURE(device_class);
  const std::string name = scratch.name(device_class);
  REQUIRE(scratch.client.create(create_request(device_class, name, kExtent)).ok());
  const std::int64_t free = free_bytes(scratch.client, device_class);
  const auto answer = scratch.client.resize(resize_request(device_class, name, kExtent + free + 1));
  INFO(answer.message);
  CHECK(answer.code == Code::kResourceExhausted);
  CHECK(answer.says(fmt::format("{}", free)));
  CHECK(listed(scratch.client, device_class, name).size_bytes() == kExtent);
  CHECK(scratch.client.resize(resize_request(device_class, name, kExtent + free)).ok());
}

TEST_CASE("a missing volume, or one of another class, is NOT_FOUND [P-RESIZE-1, P-CODE-3]",
          "[contract]") {
  Scratch scratch;
  const auto missing = scratch.client.resize(resize_request("thick", "no-such-volume", kExtent));
  CHECK(missing.code == Code::kNotFound);
  CHECK(missing.says("no-such-volume"));
  const std::string name = scratch.name("thin");
  REQUIRE(scratch.client.create(create_request("thin", name, kExtent)).ok());
  CHECK(scratch.client.resize(resize_request("thick", name, 2 * kExtent)).code == Code::kNotFound);
}
