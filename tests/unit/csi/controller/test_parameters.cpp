#include <catch2/catch.hpp>

#include "csi/controller/driver.hpp"
#include "csi/controller/parameters.hpp"

using namespace lvmd;
using namespace lvmd::controller;

TEST_CASE("the names of group, topology and capacity follow from the driver's name [C-OBJ-1]",
          "[csi][controller]") {
  const Driver driver;
  CHECK(driver.name == "topolvm.io");
  CHECK(driver.group() == reconciler::Group::kTopolvm);
  CHECK(driver.topology_key() == "topology.topolvm.io/node");
  CHECK(driver.capacity_prefix() == "capacity.topolvm.io/");
  CHECK(driver.resize_annotation() == "topolvm.io/resize-requested-at");

  const Driver legacy{.name = "topolvm.cybozu.com"};
  CHECK(legacy.group() == reconciler::Group::kLegacy);
  CHECK(legacy.topology_key() == "topology.topolvm.cybozu.com/node");
  CHECK(legacy.capacity_prefix() == "capacity.topolvm.cybozu.com/");
  CHECK(legacy.resize_annotation() == "topolvm.cybozu.com/resize-requested-at");

  const Driver other{.name = "disks.example"};
  CHECK(other.group() == reconciler::Group::kTopolvm);
  CHECK(other.topology_key() == "topology.disks.example/node");
  CHECK(other.capacity_prefix() == "capacity.topolvm.io/");
}

TEST_CASE("device class and option class are read with both of TopoLVM's prefixes [C-PARAM-1]",
          "[csi][controller]") {
  ParameterMap parameters;
  CHECK(parse_volume_parameters(parameters)->device_class.empty());
  parameters["topolvm.io/device-class"] = "ssd";
  parameters["topolvm.cybozu.com/lvcreate-option-class"] = "raid1";
  const auto parsed = parse_volume_parameters(parameters);
  REQUIRE(parsed);
  CHECK(parsed->device_class == "ssd");
  CHECK(parsed->lvcreate_option_class == "raid1");
  parameters["topolvm.cybozu.com/device-class"] = "ssd";
  CHECK(parse_volume_parameters(parameters));
  parameters["topolvm.cybozu.com/device-class"] = "hdd";
  const auto refused = parse_volume_parameters(parameters);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().message.contains("device-class"));
}

TEST_CASE("an unknown parameter of TopoLVM's is refused, others are ignored [C-PARAM-2]",
          "[csi][controller]") {
  ParameterMap parameters;
  parameters["csi.storage.k8s.io/pvc/name"] = "data";
  parameters["other"] = "value";
  CHECK(parse_volume_parameters(parameters));
  CHECK(wants_online_snapshot(parameters) == false);
  parameters["topolvm.io/devce-class"] = "ssd";
  for (const auto& error :
       {parse_volume_parameters(parameters).error(), wants_online_snapshot(parameters).error()}) {
    CHECK(error.code == Code::kInvalidArgument);
    CHECK(error.message.contains("topolvm.io/devce-class"));
  }
}

TEST_CASE("the parameter snapshotMode decides whether a snapshot is online [C-PARAM-3]",
          "[csi][controller]") {
  ParameterMap parameters;
  CHECK(wants_online_snapshot(parameters) == false);
  parameters["topolvm.io/snapshotMode"] = "offline";
  CHECK(wants_online_snapshot(parameters) == false);
  parameters["topolvm.io/snapshotMode"] = "online";
  parameters["topolvm.io/snapshotStorageName"] = "minio";
  parameters["topolvm.io/snapshotStorageNamespace"] = "lvmd-snapshots";
  CHECK(wants_online_snapshot(parameters) == true);
}
