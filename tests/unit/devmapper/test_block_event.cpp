#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
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
  CHECK(*event == BlockEvent{"change", "dm-3", "vg1-lin", "LVM-abc", 253, 3, 1234});
  CHECK(event->is_device_mapper());
}

TEST_CASE("an event of a disk", "[devmapper]") {
  const auto event = parse_uevent(
      "add@/devices/pci0/block/vdb\0ACTION=add\0SUBSYSTEM=block\0DEVNAME=vdb\0SEQNUM=7"s);
  REQUIRE(event);
  CHECK(*event == BlockEvent{"add", "vdb", "", "", 0, 0, 7});
  CHECK_FALSE(event->is_device_mapper());
}

TEST_CASE("an event that udev has handled", "[devmapper]") {
  const std::string properties =
      "UDEV_DATABASE_VERSION=1\0ACTION=remove\0SUBSYSTEM=block\0DEVNAME=/dev/dm-3\0MAJOR=253\0"
      "MINOR=3\0SEQNUM=1235\0"s;
  const auto number = [](std::uint32_t value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  };
  const std::string magic = "\xfe\xed\xca\xfe";
  const auto message = [&](const std::string& with, std::uint32_t offset) {
    return "libudev\0"s + with + number(40) + number(offset) +
           number(static_cast<std::uint32_t>(properties.size())) + std::string(16, 'h') +
           properties;
  };
  const auto event = parse_uevent(message(magic, 40));
  REQUIRE(event);
  CHECK(*event == BlockEvent{"remove", "dm-3", "", "", 253, 3, 1235, true});
  CHECK_FALSE(parse_uevent(message("\xca\xfe\xfe\xed", 40)));
  CHECK_FALSE(parse_uevent(message(magic, 4000)));
  CHECK_FALSE(parse_uevent("libudev\0\xfe\xed"s));
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
