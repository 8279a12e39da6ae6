#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"

using namespace lvmd;
using namespace lvmd::contract;

namespace {

// A thin volume as source of snapshots.
std::string make_source(Scratch& scratch) {
  std::string name = scratch.name("thin");
  const auto made = scratch.client.create(create_request("thin", name, 2 * kExtent));
  INFO(made.message);
  REQUIRE(made.ok());
  return name;
}

}  // namespace

TEST_CASE(
    "a snapshot has its source's size and the requested access [P-SNAP-8, P-SNAP-9, P-SNAP-12, "
    "P-MSG-26]",
    "[contract]") {
  const std::string access_type = GENERATE("ro", "rw");
  Scratch scratch;
  CAPTURE(access_type);
  const std::string source = make_source(scratch);
  const std::string name = scratch.name("thin");
  auto request = snapshot_request("thin", name, source, access_type);
  request.add_tags("backup");
  const auto answer = scratch.client.snapshot(request);
  INFO(answer.message);
  REQUIRE(answer.ok());
  const proto::LogicalVolume& snapshot = answer.response.snapshot();
  CHECK(snapshot.name() == name);
  CHECK(snapshot.size_bytes() == 2 * kExtent);
  CHECK(snapshot.path() == "/dev/vg_thick/" + name);
  CHECK(snapshot.attr().substr(0, 2) == (access_type == "ro" ? "Vr" : "Vw"));
  CHECK(snapshot.attr().substr(4, 1) == "a");
  CHECK(snapshot.dev_major() > 0);
  REQUIRE(snapshot.tags_size() == 1);
  CHECK(snapshot.tags(0) == "backup");
  CHECK(lasting(listed(scratch.client, "thin", name)) == lasting(snapshot));
}

TEST_CASE("a snapshot can be larger than its source [P-SNAP-10]", "[contract]") {
  Scratch scratch;
  const std::string source = make_source(scratch);
  auto request = snapshot_request("thin", scratch.name("thin"), source, "rw");
  request.set_size_bytes(2 * kExtent + 1);
  const auto answer = scratch.client.snapshot(request);
  INFO(answer.message);
  REQUIRE(answer.ok());
  CHECK(answer.response.snapshot().size_bytes() == 3 * kExtent);
}

TEST_CASE("a snapshot smaller than its source is OUT_OF_RANGE [P-SNAP-6, P-CODE-8]", "[contract]") {
  Scratch scratch;
  const std::string source = make_source(scratch);
  auto request = snapshot_request("thin", scratch.name("thin"), source, "ro");
  request.set_size_bytes(kExtent);
  CHECK(scratch.client.snapshot(request).code == Code::kOutOfRange);
}

TEST_CASE("a snapshot counts with its full virtual size [P-SNAP-7]", "[contract]") {
  Scratch scratch;
  const std::string source = make_source(scratch);
  const std::int64_t free = free_bytes(scratch.client, "thin");
  auto request = snapshot_request("thin", scratch.name("thin"), source, "rw");
  request.set_size_bytes(free + 1);
  const auto answer = scratch.client.snapshot(request);
  CHECK(answer.code == Code::kResourceExhausted);
  CHECK(answer.says(fmt::format("{}", free)));
}

TEST_CASE("thick snapshots are UNIMPLEMENTED [P-SNAP-1, P-CODE-9]", "[contract]") {
  Scratch scratch;
  const auto answer = scratch.client.snapshot(snapshot_request("thick", "x", "y", "ro"));
  CHECK(answer.code == Code::kUnimplemented);
  CHECK(answer.says("device class is not thin"));
}

TEST_CASE("a source that does not exist is NOT_FOUND [P-SNAP-3]", "[contract]") {
  Scratch scratch;
  const auto answer = scratch.client.snapshot(
      snapshot_request("thin", scratch.name("thin"), "no-such-volume", "ro"));
  CHECK(answer.code == Code::kNotFound);
  CHECK(answer.says("no-such-volume"));
}

TEST_CASE("a source that is not thin is UNIMPLEMENTED [P-SNAP-4]", "[contract]") {
  Scratch scratch;
  const std::string thick = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", thick, kExtent)).ok());
  const auto answer =
      scratch.client.snapshot(snapshot_request("thin", scratch.name("thin"), thick, "ro"));
  CHECK(answer.code == Code::kUnimplemented);
}

TEST_CASE("a repeated snapshot is OK, a different one is ALREADY_EXISTS [P-IDEM-1, P-IDEM-3]",
          "[contract]") {
  Scratch scratch;
  const std::string source = make_source(scratch);
  const std::string other_source = make_source(scratch);
  const auto request = snapshot_request("thin", scratch.name("thin"), source, "ro");
  const auto first = scratch.client.snapshot(request);
  INFO(first.message);
  REQUIRE(first.ok());
  const auto again = scratch.client.snapshot(request);
  INFO(again.message);
  REQUIRE(again.ok());
  CHECK(lasting(again.response.snapshot()) == lasting(first.response.snapshot()));

  auto other = request;
  other.set_access_type("rw");
  CHECK(scratch.client.snapshot(other).code == Code::kAlreadyExists);
  other = request;
  other.set_source_volume(other_source);
  CHECK(scratch.client.snapshot(other).code == Code::kAlreadyExists);
  // Also for CreateLV: a snapshot does not match that request.
  CHECK(scratch.client.create(create_request("thin", request.name(), 2 * kExtent)).code ==
        Code::kAlreadyExists);
}

TEST_CASE("a snapshot outlives its source [P-REMOVE-4]", "[contract]") {
  Scratch scratch;
  const std::string source = make_source(scratch);
  const auto request = snapshot_request("thin", scratch.name("thin"), source, "ro");
  REQUIRE(scratch.client.snapshot(request).ok());
  const auto removed = scratch.client.remove(remove_request("thin", source));
  INFO(removed.message);
  REQUIRE(removed.ok());
  CHECK(listed(scratch.client, "thin", request.name()).name() == request.name());
  // Size 0 matches any size, also after the source was removed [P-IDEM-5].
  CHECK(scratch.client.snapshot(request).ok());
}
