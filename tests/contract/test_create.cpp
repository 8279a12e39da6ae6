#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"

using namespace lvmd;
using namespace lvmd::contract;

TEST_CASE("a thick volume has all its fields in the answer and the list [P-CREATE-8, P-MSG-16]",
          "[contract]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  auto request = create_request("thick", name, 2 * kExtent);
  request.add_tags("owner=test");
  request.add_tags("second");
  const auto answer = scratch.client.create(request);
  INFO(answer.message);
  REQUIRE(answer.ok());
  const proto::LogicalVolume& volume = answer.response.volume();
  CHECK(volume.name() == name);
  CHECK(volume.size_bytes() == 2 * kExtent);
  CHECK(volume.path() == "/dev/vg_thick/" + name);
  CHECK(volume.dev_major() > 0);
  REQUIRE(volume.attr().size() == 10);
  CHECK(volume.attr().substr(0, 5) == "-wi-a");
  REQUIRE(volume.tags_size() == 2);
  CHECK(volume.tags(0) == "owner=test");
  CHECK(volume.tags(1) == "second");

  CHECK(lasting(listed(scratch.client, "thick", name)) == lasting(volume));
}

TEST_CASE("a thin volume is in its pool's class only [P-CLASS-3, P-CLASS-4, P-LIST-1]",
          "[contract]") {
  Scratch scratch;
  const std::string name = scratch.name("thin");
  const auto answer = scratch.client.create(create_request("thin", name, 10 * kMiB));
  INFO(answer.message);
  REQUIRE(answer.ok());
  CHECK(answer.response.volume().size_bytes() == 3 * kExtent);
  CHECK(answer.response.volume().attr().substr(0, 1) == "V");
  CHECK(listed(scratch.client, "thin", name).name() == name);
  CHECK(listed(scratch.client, "thick", name).name().empty());
  CHECK(listed(scratch.client, "thick", "pool").name().empty());
}

TEST_CASE("an empty class name is the default class [P-CLASS-1]", "[contract]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("", name, kExtent)).ok());
  CHECK(listed(scratch.client, "", name).name() == name);
  CHECK(listed(scratch.client, "thick", name).name() == name);
}

TEST_CASE("sizes are rounded up to extents, striped ones to whole rows [P-SIZE-4]", "[contract]") {
  Scratch scratch;
  const std::string linear = scratch.name("thick");
  const auto rounded = scratch.client.create(create_request("thick", linear, kExtent + 4096));
  INFO(rounded.message);
  REQUIRE(rounded.ok());
  CHECK(rounded.response.volume().size_bytes() == 2 * kExtent);

  const std::string striped = scratch.name("striped");
  const auto row = scratch.client.create(create_request("striped", striped, kExtent));
  INFO(row.message);
  REQUIRE(row.ok());
  CHECK(row.response.volume().size_bytes() == 2 * kExtent);
}

TEST_CASE("an option class replaces the class's stripes [P-CREATE-4]", "[contract]") {
  Scratch scratch;
  const std::string name = scratch.name("striped");
  auto request = create_request("striped", name, kExtent);
  request.set_lvcreate_option_class("linear");
  const auto answer = scratch.client.create(request);
  INFO(answer.message);
  REQUIRE(answer.ok());
  CHECK(answer.response.volume().size_bytes() == kExtent);
}

TEST_CASE(
    "a size above GetFreeBytes is RESOURCE_EXHAUSTED, with both numbers [P-CREATE-5, P-CODE-5]",
    "[contract]") {
  const std::string device_class = GENERATE("thick", "thin", "striped");
  Scratch scratch;
  CAPTURE(device_class);
  const std::int64_t free = free_bytes(scratch.client, device_class);
  const auto answer =
      scratch.client.create(create_request(device_class, scratch.name(device_class), free + 4096));
  INFO(answer.message);
  CHECK(answer.code == Code::kResourceExhausted);
  CHECK(answer.says(fmt::format("{}", free)));
  CHECK(free_bytes(scratch.client, device_class) == free);
}

TEST_CASE("a volume of exactly the size of GetFreeBytes can be created [P-CREATE-5]",
          "[contract]") {
  const std::string device_class = GENERATE("thick", "thin", "striped");
  Scratch scratch;
  CAPTURE(device_class);
  const std::int64_t free = free_bytes(scratch.client, device_class);
  const std::string name = scratch.name(device_class);
  const auto answer = scratch.client.create(create_request(device_class, name, free));
  INFO(answer.message);
  REQUIRE(answer.ok());
  CHECK(answer.response.volume().size_bytes() == free);
  CHECK(free_bytes(scratch.client, device_class) == 0);
  CHECK(scratch.client.create(create_request(device_class, name, free)).ok());
  CHECK(scratch.client.create(create_request(device_class, scratch.name(device_class), kExtent))
            .code == Code::kResourceExhausted);
}

TEST_CASE("a repeated request is OK and changes nothing [P-IDEM-1]", "[contract]") {
  const std::string device_class = GENERATE("thick", "thin");
  Scratch scratch;
  CAPTURE(device_class);
  auto request = create_request(device_class, scratch.name(device_class), kExtent + 4096);
  request.add_tags("b");
  request.add_tags("a");
  const auto first = scratch.client.create(request);
  INFO(first.message);
  REQUIRE(first.ok());
  const std::int64_t free = free_bytes(scratch.client, device_class);
  // The same size by rounding, and the same set of tags.
  request.set_size_bytes(2 * kExtent);
  request.clear_tags();
  request.add_tags("a");
  request.add_tags("b");
  request.add_tags("a");
  const auto second = scratch.client.create(request);
  INFO(second.message);
  REQUIRE(second.ok());
  CHECK(lasting(second.response.volume()) == lasting(first.response.volume()));
  CHECK(free_bytes(scratch.client, device_class) == free);
}

TEST_CASE(
    "another request for an existing name is ALREADY_EXISTS, and the error names the field "
    "[P-IDEM-2, P-CODE-4, P-CODE-14]",
    "[contract]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  auto request = create_request("thick", name, kExtent);
  request.add_tags("a");
  REQUIRE(scratch.client.create(request).ok());
  const auto check = [](const auto& answer, std::string_view field) {
    INFO(answer.message);
    CHECK(answer.code == Code::kAlreadyExists);
    CHECK(answer.says(field));
  };
  auto other = request;
  other.set_size_bytes(2 * kExtent);
  check(scratch.client.create(other), "size");
  other = request;
  other.add_tags("b");
  check(scratch.client.create(other), "tags");
  other = request;
  other.set_lvcreate_option_class("linear");
  check(scratch.client.create(other), "option");
  other = request;
  other.set_device_class("thin");
  check(scratch.client.create(other), "class");
}

TEST_CASE("a pool's name is ALREADY_EXISTS for every request [P-IDEM-6]", "[contract]") {
  Scratch scratch;
  const auto answer = scratch.client.create(create_request("thick", "pool", kExtent));
  CHECK(answer.code == Code::kAlreadyExists);
  CHECK(answer.says("pool"));
}
