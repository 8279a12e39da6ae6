#include <catch2/catch.hpp>
#include <string>

#include "lvmd/devmapper/block_event.hpp"

using namespace lvmd::devmapper;
using namespace std::string_literals;

TEST_CASE("an event of a device-mapper device", "[devmapper]") {
  const auto event = parse_uevent(
      "change@/devices/virtual/block/dm-3\0ACTION=change\0DEVPATH=/devices/virtual/block/dm-3\0"
      "SUBSYSTEM=block\0DM_COOKIE=4254\0DM_NAME=vg1-lin\0DM_UUID=LVM-abc\0MAJOR=253\0MINOR=3\0"
      "DEVNAME=dm-3\0DEVTYPE=disk\0SEQNUM=1234\0"s);
  REQUIRE(event);
  CHECK(*event == BlockEvent{"change", "dm-3", "vg1-lin", "LVM-abc", 253, 3});
  CHECK(event->is_device_mapper());
}

TEST_CASE("an event of a disk", "[devmapper]") {
  const auto event = parse_uevent(
      "add@/devices/pci0/block/vdb\0ACTION=add\0SUBSYSTEM=block\0DEVNAME=vdb\0SEQNUM=7"s);
  REQUIRE(event);
  CHECK(*event == BlockEvent{"add", "vdb", "", ""});
  CHECK_FALSE(event->is_device_mapper());
}

TEST_CASE("other events and malformed messages are ignored", "[devmapper]") {
  CHECK_FALSE(parse_uevent("add@/devices/net/eth0\0ACTION=add\0SUBSYSTEM=net\0DEVNAME=x\0"s));
  CHECK_FALSE(parse_uevent("add@/devices/x\0ACTION=add\0SUBSYSTEM=block\0"s));
  CHECK_FALSE(parse_uevent("add@/devices/x\0SUBSYSTEM=block\0DEVNAME=vdb\0"s));
  CHECK_FALSE(parse_uevent("libudev\0ACTION=add\0SUBSYSTEM=block\0DEVNAME=vdb\0"s));
  CHECK_FALSE(parse_uevent(""));
  CHECK_FALSE(parse_uevent("\0\0\0"s));
  CHECK_FALSE(parse_uevent("add@/devices/x"));
}
