#include <algorithm>
#include <catch2/catch.hpp>
#include <initializer_list>
#include <random>
#include <string>

#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/state_stream.hpp"

using lvmd::Code;
using lvmd::ipc::StateReader;
using lvmd::ipc::StateWriter;
namespace internal = lvmd::internal;
namespace model = lvmd::model;

namespace {

model::LogicalVolume volume(const std::string& name, std::uint64_t size = 1) {
  return {.name = name,
          .id = "id-" + name,
          .segment_type = "linear",
          .size = {size},
          .tags = {"t"},
          .pool = {},
          .origin = {},
          .path = "/dev/vg0/" + name,
          .attr = "-wi-------"};
}

model::VgState state_of(std::vector<model::LogicalVolume> volumes, std::uint64_t seqno = 1) {
  return {.name = "vg0",
          .observed_at = {static_cast<std::int64_t>(seqno)},
          .group = model::VolumeGroup{.id = "id",
                                      .name = "vg0",
                                      .seqno = seqno,
                                      .extent_size = {4096},
                                      .logical_volumes = std::move(volumes)}};
}

// A channel whose frames are only counted and passed on.
struct Stream {
  StateWriter writer;
  StateReader reader;
  internal::VgState frame;

  model::VgState pass(const model::VgState& state) {
    frame = writer.write(state);
    auto read = reader.read(frame);
    REQUIRE(read);
    CHECK(read->name == state.name);
    CHECK(read->observed_at == state.observed_at);
    REQUIRE(read->group.has_value() == state.group.has_value());
    if (state.group) CHECK(*read->group == *state.group);
    return *std::move(read);
  }
  [[nodiscard]] int sent_volumes() const {
    return frame.has_change() ? frame.change().volume_group().logical_volumes_size()
                              : frame.volume_group().logical_volumes_size();
  }
};

}  // namespace

TEST_CASE("after the first group, a frame contains only the volumes that differ", "[channel]") {
  Stream stream;
  stream.pass(state_of({volume("a"), volume("b"), volume("c")}));
  CHECK(stream.sent_volumes() == 3);
  stream.pass(state_of({volume("a"), volume("b"), volume("c")}, 2));
  CHECK(stream.sent_volumes() == 0);
  stream.pass(state_of({volume("a"), volume("b", 5), volume("bb"), volume("c")}, 3));
  CHECK(stream.sent_volumes() == 2);
  stream.pass(state_of({volume("b", 5), volume("bb")}, 4));
  CHECK(stream.sent_volumes() == 0);
  CHECK(stream.frame.change().removed_size() == 2);
  stream.pass(state_of({}, 5));
  stream.pass(state_of({volume("z")}, 6));
  CHECK(stream.sent_volumes() == 1);
}

TEST_CASE("an unavailable group between two states changes nothing in the difference",
          "[channel]") {
  Stream stream;
  const model::VgState gone{
      .name = "vg0", .observed_at = {2}, .group = lvmd::fail(Code::kUnavailable, "exported")};
  stream.pass(gone);
  stream.pass(state_of({volume("a"), volume("b")}));
  stream.pass(gone);
  stream.pass(state_of({volume("a"), volume("b"), volume("c")}, 3));
  CHECK(stream.sent_volumes() == 1);
}

TEST_CASE("any sequence of groups arrives as it was sent", "[channel]") {
  std::minstd_rand random{Catch::rngSeed()};
  Stream stream;
  for (std::uint64_t seqno = 1; seqno < 200; ++seqno) {
    std::vector<model::LogicalVolume> volumes;
    for (char name = 'a'; name < 'i'; ++name)
      if (random() % 3 != 0) volumes.push_back(volume({name}, random() % 2));
    stream.pass(state_of(std::move(volumes), seqno));
  }
}

TEST_CASE("a change that does not follow from the last group is refused", "[channel]") {
  StateWriter writer;
  static_cast<void>(writer.write(state_of({volume("a"), volume("b")})));
  internal::VgState change = writer.write(state_of({volume("b")}, 2));
  StateReader reader;
  SECTION("no group was sent before") {}
  SECTION("a removed volume does not exist") {
    REQUIRE(reader.read(lvmd::ipc::to_proto(state_of({volume("b")}))));
  }
  SECTION("it belongs to another group") {
    REQUIRE(reader.read(lvmd::ipc::to_proto(state_of({volume("a"), volume("b")}))));
    change.set_name("vg1");
  }
  SECTION("a volume has no name") {
    REQUIRE(reader.read(lvmd::ipc::to_proto(state_of({volume("a"), volume("b")}))));
    change.mutable_change()->mutable_volume_group()->add_logical_volumes();
  }
  const auto read = reader.read(change);
  REQUIRE_FALSE(read);
  CHECK(read.error().code == Code::kInvalidArgument);
}
