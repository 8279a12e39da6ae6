#include <catch2/catch.hpp>
#include <limits>

#include "lvmd/ipc/convert.hpp"

using lvmd::Code;
using lvmd::Error;
namespace ipc = lvmd::ipc;
namespace internal = lvmd::internal;
namespace model = lvmd::model;

namespace {

model::VolumeGroup full_group() {
  model::LogicalVolume thin{.name = "a",
                            .id = "id-a",
                            .role = model::LvRole::kThin,
                            .segment_type = "thin",
                            .stripes = 1,
                            .size = {8388608},
                            .tags = {"owner=x", "lvmd.v1:class=thin"},
                            .pool = "pool",
                            .origin = "b",
                            .writable = false,
                            .path = "/dev/vg0/a",
                            .attr = "Vri-a-tz--",
                            .device = model::DeviceState{.major = 254,
                                                         .minor = 7,
                                                         .open_count = 2,
                                                         .suspended = true,
                                                         .read_only = true,
                                                         .live_table = true,
                                                         .inactive_table = true},
                            .usage = std::nullopt,
                            .redundancy = model::Redundancy::kDegraded,
                            .partial = true};
  model::LogicalVolume pool{
      .name = "pool",
      .id = "id-p",
      .role = model::LvRole::kThinPool,
      .segment_type = "thin-pool",
      .stripes = 2,
      .size = {1U << 30U},
      .tags = {},
      .pool = {},
      .origin = {},
      .writable = true,
      .path = "/dev/vg0/pool",
      .attr = "twi-aotz--",
      .device = std::nullopt,
      .usage = model::PoolUsage{.data_percent = 12.5, .metadata_percent = 3.25},
      .pool_condition = model::PoolCondition{.kernel = model::PoolHealth::kNeedsCheck,
                                             .kernel_transaction = 7,
                                             .metadata_transaction = 8}};
  return {.id = "vgid",
          .name = "vg0",
          .seqno = 42,
          .extent_size = {4194304},
          .physical_volumes = {{.id = "pv0",
                                .device = "/dev/vdb",
                                .size = {100},
                                .free = {50},
                                .free_areas = {{30}, {20}},
                                .allocatable = false,
                                .missing = true}},
          .logical_volumes = {thin, pool},
          .source = model::StateSource::kReport,
          .copies = {.longest_text = {5000},
                     .free = {100},
                     .damaged = std::vector<std::string>{"/dev/vdb: torn"}},
          .unmonitored_pools = std::vector<std::string>{"pool"}};
}

}  // namespace

TEST_CASE("a state is unchanged after conversion", "[channel]") {
  const model::VgState state{.name = "vg0", .observed_at = {123456789}, .group = full_group()};
  const auto back = ipc::from_proto(ipc::to_proto(state));
  REQUIRE(back);
  CHECK(back->name == state.name);
  CHECK(back->observed_at == state.observed_at);
  CHECK(back->group == state.group);
}

TEST_CASE("an unavailable group keeps its reason", "[channel]") {
  const model::VgState state{
      .name = "vg0",
      .observed_at = {1},
      .group = std::unexpected(Error{.code = Code::kUnavailable, .message = "exported"})};
  const auto back = ipc::from_proto(ipc::to_proto(state));
  REQUIRE(back);
  CHECK(back->group == state.group);
}

TEST_CASE("a catalog is unchanged after conversion", "[channel]") {
  const model::ClassCatalog catalog{
      .device_classes = {{.name = "ssd",
                          .volume_group = "vg0",
                          .is_default = true,
                          .spare = {1},
                          .stripes = 2,
                          .stripe_size = "64k",
                          .lvcreate_options = {"--readahead", "auto"},
                          .thin_pool = std::nullopt},
                         {.name = "thin",
                          .volume_group = "vg0",
                          .is_default = false,
                          .spare = {2},
                          .stripes = 0,
                          .stripe_size = {},
                          .lvcreate_options = {},
                          .thin_pool = model::ThinPoolTarget{.name = "p",
                                                             .overprovision_ratio = 5,
                                                             .data_high_water_percent = 80,
                                                             .metadata_high_water_percent = {}}}},
      .option_classes = {{.name = "raid", .options = {"--type=raid1"}}}};
  const auto back = ipc::from_proto(ipc::to_proto(catalog));
  REQUIRE(back);
  CHECK(*back == catalog);
}

TEST_CASE("an error keeps code, message and rollback; an unknown code becomes Internal",
          "[channel]") {
  const Error error{.code = Code::kAborted,
                    .message = "m",
                    .rollback = "r",
                    .reason = "VOLUME_GROUP_LOCKED",
                    .metadata = {{"vg", "vg0"}, {"holder", "lvcreate (pid 1)"}}};
  CHECK(ipc::from_proto(ipc::to_proto(error)) == error);
  internal::Error odd;
  odd.set_code(GENERATE(0U, 15U, 999U));
  odd.set_message("odd");
  CHECK(ipc::from_proto(odd).code == Code::kInternal);
  CHECK(ipc::from_proto(odd).message == "odd");
}

TEST_CASE("frames that break the model's rules are rejected", "[channel]") {
  internal::VgState state =
      ipc::to_proto(model::VgState{.name = "vg0", .observed_at = {1}, .group = full_group()});
  SECTION("unsorted volumes") {
    state.mutable_volume_group()->mutable_logical_volumes()->SwapElements(0, 1);
  }
  SECTION("a volume without a name") {
    state.mutable_volume_group()->mutable_logical_volumes(0)->clear_name();
  }
  SECTION("a volume without a role") {
    state.mutable_volume_group()->mutable_logical_volumes(0)->clear_role();
  }
  SECTION("extents without a size") { state.mutable_volume_group()->clear_extent_size_bytes(); }
  SECTION("another group's state") { state.set_name("vg1"); }
  SECTION("no group and no reason") { state.clear_volume_group(); }
  const auto back = ipc::from_proto(state);
  REQUIRE_FALSE(back);
  CHECK(back.error().code == Code::kInvalidArgument);
}

TEST_CASE("an overprovision ratio below 1, or NaN, is rejected", "[channel]") {
  internal::ClassCatalog catalog;
  auto& device_class = *catalog.add_device_classes();
  device_class.set_name("thin");
  device_class.set_volume_group("vg0");
  device_class.mutable_thin_pool()->set_name("p");
  device_class.mutable_thin_pool()->set_overprovision_ratio(
      GENERATE(0.0, 0.99, std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(ipc::from_proto(catalog));
}
