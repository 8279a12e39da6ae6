#include <catch2/catch.hpp>
#include <string>

#include "lvmd/devmapper/device_name.hpp"
#include "lvmd/model/mapped_name.hpp"

using namespace lvmd::devmapper;
using lvmd::model::mapped_uuid;

namespace {

const std::string kVg(32, 'g');
const std::string kLv(32, 'l');

}  // namespace

TEST_CASE("hyphens in the name of a group are doubled", "[devmapper]") {
  CHECK(device_name_prefix("vg1") == "vg1-");
  CHECK(device_name_prefix("my-vg") == "my--vg-");
  CHECK(device_name_prefix("a-") == "a---");
}

TEST_CASE("a UUID is composed of both ids and parsed back", "[devmapper]") {
  const std::string uuid = mapped_uuid(kVg, kLv);
  CHECK(uuid == "LVM-" + kVg + kLv);
  CHECK(parse_device_uuid(uuid, kVg) == VolumeDevice{kLv, DeviceLayer::kVolume});
}

TEST_CASE("the suffix of a UUID identifies the layer", "[devmapper]") {
  const auto [suffix, layer] = GENERATE(table<const char*, DeviceLayer>({
      {"", DeviceLayer::kVolume},
      {"-pool", DeviceLayer::kVolume},
      {"-tdata", DeviceLayer::kVolume},
      {"-tmeta", DeviceLayer::kVolume},
      {"-tpool", DeviceLayer::kThinPool},
      {"-real", DeviceLayer::kReal},
      {"-cow", DeviceLayer::kInner},
      {"-cdata", DeviceLayer::kCachePart},
      {"-cmeta", DeviceLayer::kCachePart},
      {"-cvol", DeviceLayer::kVolume},
      {"x", DeviceLayer::kInner},
  }));
  CAPTURE(suffix);
  CHECK(parse_device_uuid(mapped_uuid(kVg, kLv) + suffix, kVg) == VolumeDevice{kLv, layer});
}

TEST_CASE("devices of other groups do not belong to the group", "[devmapper]") {
  CHECK_FALSE(parse_device_uuid("", kVg));
  CHECK_FALSE(parse_device_uuid("CRYPT-LUKS2-abc-name", kVg));
  CHECK_FALSE(parse_device_uuid("LVM-" + kVg + kLv.substr(1), kVg));
  CHECK_FALSE(parse_device_uuid(mapped_uuid(std::string(32, 'h'), kLv), kVg));
  CHECK_FALSE(parse_device_uuid(mapped_uuid(kVg, kLv), "g"));
}
