#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/model/layout.hpp"

using namespace lvmd::model;
using Arguments = std::vector<std::string>;

namespace {

struct Row {
  Arguments arguments;
  std::uint32_t stripes;
  std::uint32_t copies;
  std::uint32_t parity;
  bool raid_metadata;
  std::uint32_t logs;
};

}  // namespace

TEST_CASE("the layout of arguments is the layout that lvcreate creates [P-AVAIL-20]", "[model]") {
  const auto row = GENERATE(values<Row>({
      {{}, 1, 1, 0, false, 0},
      {{"--type=linear"}, 1, 1, 0, false, 0},
      {{"--type", "striped"}, 1, 1, 0, false, 0},
      {{"-i", "3", "-I", "64k"}, 3, 1, 0, false, 0},
      {{"-m0", "-Zn", "--readahead=auto"}, 1, 1, 0, false, 0},
      {{"--type=raid0"}, 2, 1, 0, false, 0},
      {{"--type=raid0_meta", "-i3"}, 3, 1, 0, true, 0},
      {{"--type=raid1"}, 1, 2, 0, true, 0},
      {{"-m1"}, 1, 2, 0, true, 0},
      {{"-m2", "--nosync"}, 1, 3, 0, true, 0},
      {{"--type=raid4", "-i2"}, 2, 1, 1, true, 0},
      {{"--type=raid5"}, 2, 1, 1, true, 0},
      {{"--type=raid5_n", "-i4"}, 4, 1, 1, true, 0},
      {{"--type=raid6"}, 3, 1, 2, true, 0},
      {{"--type=raid6_zr", "-i4"}, 4, 1, 2, true, 0},
      {{"--type=raid10"}, 2, 2, 0, true, 0},
      {{"-m1", "-i3"}, 3, 2, 0, true, 0},
      {{"--type=mirror"}, 1, 2, 0, false, 1},
      {{"--type=mirror", "-m1", "-i2", "--mirrorlog=core"}, 2, 2, 0, false, 0},
  }));
  CAPTURE(row.arguments);
  const Layout layout = layout_of(row.arguments);
  CHECK(layout.computable);
  CHECK(layout.stripes == row.stripes);
  CHECK(layout.copies == row.copies);
  CHECK(layout.parity == row.parity);
  CHECK(layout.raid_metadata == row.raid_metadata);
  CHECK(layout.logs == row.logs);
}

TEST_CASE("PVs, allocation policy and region size are part of the layout [P-AVAIL-20]", "[model]") {
  CHECK(layout_of(Arguments{"/dev/sdb", "-i2", "/dev/sdc"}).devices ==
        Arguments{"/dev/sdb", "/dev/sdc"});
  CHECK(layout_of(Arguments{"--alloc=cling"}).policy == AllocationPolicy::kCling);
  CHECK(layout_of(Arguments{"-Cy"}).policy == AllocationPolicy::kContiguous);
  CHECK(layout_of(Arguments{"-m1", "-R", "512k"}).region_size == Bytes{512U << 10U});
  CHECK(layout_of(Arguments{"-m1", "-R4"}).region_size == Bytes{4U << 20U});
}

TEST_CASE("an unknown argument makes a layout not computable, and keeps the stripes [P-AVAIL-21]",
          "[model]") {
  const auto arguments = GENERATE(values<Arguments>({{"--alloc=anywhere"},
                                                     {"--cachepool=p"},
                                                     {"--nonsense"},
                                                     {"--type=vdo"},
                                                     {"--type=raid"},
                                                     {"--type=linear", "-i2"},
                                                     {"--type=raid5", "-i1"},
                                                     {"--type=raid5", "-m1"},
                                                     {"--type=raid10", "-m2"},
                                                     {"--type=mirror", "-m0"},
                                                     {"-m1", "--mirrorlog=disk"},
                                                     {"-m", "one"},
                                                     {"-m1", "-R", "1.5m"},
                                                     {"/dev/sdb:0-99"},
                                                     {"@fast"},
                                                     {"--raidintegrity=y"}}));
  CAPTURE(arguments);
  CHECK_FALSE(layout_of(arguments).computable);
  CHECK(layout_of(Arguments{"--type=writecache", "-i2"}).stripes == 2);
}

TEST_CASE("an existing volume grows with its own layout", "[model]") {
  const auto [type, areas, stripes, all] =
      GENERATE(table<std::string, std::uint32_t, std::uint32_t, std::uint32_t>({
          {"linear", 1, 1, 1},
          {"striped", 3, 3, 3},
          {"raid0", 2, 2, 2},
          {"raid1", 2, 1, 2},
          {"mirror", 3, 1, 3},
          {"raid5_ls", 3, 2, 3},
          {"raid6_zr", 5, 3, 5},
          {"raid10", 4, 2, 4},
          {"cache", 1, 1, 1},
      }));
  CAPTURE(type);
  const Layout layout = layout_of(LogicalVolume{.segment_type = type, .stripes = areas});
  CHECK(layout.stripes == stripes);
  CHECK(layout.areas() == all);
}

TEST_CASE(
    "the arguments of an option class replace all arguments of the class [P-CREATE-3, P-CREATE-4]",
    "[model]") {
  DeviceClass device_class;
  device_class.stripes = 2;
  device_class.stripe_size = "64k";
  device_class.lvcreate_options = {"-Zn"};
  CHECK(lvcreate_arguments(device_class, nullptr) == Arguments{"-i", "2", "-I", "64k", "-Zn"});
  const OptionClass option_class{.name = "o", .options = {"-m1"}};
  CHECK(lvcreate_arguments(device_class, &option_class) == Arguments{"-m1"});
  device_class.thin_pool = ThinPoolTarget{.name = "pool"};
  CHECK(lvcreate_arguments(device_class, nullptr) == Arguments{"-Zn"});
}
