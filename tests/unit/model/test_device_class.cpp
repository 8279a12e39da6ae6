#include <catch2/catch.hpp>

#include "lvmd/model/device_class.hpp"

using namespace lvmd::model;

TEST_CASE("the empty name selects the default class [P-CLASS-1]", "[model]") {
  const ClassCatalog catalog{
      .device_classes = {{.name = "hdd"}, {.name = "ssd", .is_default = true}}};
  REQUIRE(catalog.find_device_class("") != nullptr);
  CHECK(catalog.find_device_class("")->name == "ssd");
  REQUIRE(catalog.find_device_class("hdd") != nullptr);
  CHECK(catalog.find_device_class("hdd")->name == "hdd");
}

TEST_CASE("an unknown class name selects no class [P-CLASS-2]", "[model]") {
  const ClassCatalog catalog{.device_classes = {{.name = "hdd"}}};
  CHECK(catalog.find_device_class("") == nullptr);
  CHECK(catalog.find_device_class("HDD") == nullptr);
  CHECK(catalog.find_device_class("hd") == nullptr);
}

TEST_CASE("option classes are found by name; there is no default option class [P-CLASS-6]",
          "[model]") {
  const ClassCatalog catalog{.option_classes = {{.name = "raid", .options = {"--type=raid1"}}}};
  REQUIRE(catalog.find_option_class("raid") != nullptr);
  CHECK(catalog.find_option_class("raid")->options.front() == "--type=raid1");
  CHECK(catalog.find_option_class("") == nullptr);
  CHECK(catalog.find_option_class("Raid") == nullptr);
}

TEST_CASE("a class with a pool is thin, and the default spare is 10 GiB [P-AVAIL-6]", "[model]") {
  CHECK_FALSE(DeviceClass{}.is_thin());
  CHECK(DeviceClass{.thin_pool = ThinPoolTarget{.name = "pool"}}.is_thin());
  CHECK(DeviceClass{}.spare == Bytes{10'737'418'240});
}
