#include <catch2/catch.hpp>

#include "lvmd/state/hidden_devices.hpp"

using namespace lvmd::state;

TEST_CASE("rejected devices come before the host's filter [P-STATE-7]", "[state]") {
  CHECK(filter_without({"/dev/sdb", "/dev/mapper/a.b"}, R"(["a|/dev/sd.*|", "r|.*|"])") ==
        R"(["r|^/dev/sdb$|","r|^/dev/mapper/a.b$|","a|/dev/sd.*|", "r|.*|"])");
  CHECK(filter_without({"/dev/sdb"}, "") == R"(["r|^/dev/sdb$|"])");
  // LVM uses a device if one name is accepted, and the default filter accepts every name.
  CHECK(filter_without({"/dev/sdb"}, R"(["a|.*|"])") == R"(["r|^/dev/sdb$|"])");
}

TEST_CASE("only the entries of hidden devices are removed from a devices file [P-STATE-7]",
          "[state]") {
  const std::string text =
      "# LVM uses devices listed in this file.\nVERSION=1.1.3\n"
      "IDTYPE=sys_wwid IDNAME=naa.5000 DEVNAME=/dev/sda PVID=aaa\n"
      "IDTYPE=sys_serial IDNAME=data1 DEVNAME=/dev/vdc PVID=bbb\n"
      "IDTYPE=devname IDNAME=/dev/vdd DEVNAME=/dev/vdd PVID=ccc\n";
  const std::string kept = devices_file_without(text, {"/dev/vdd"}, {"data1"});
  CHECK_THAT(kept, Catch::Contains("naa.5000"));
  CHECK_THAT(kept, Catch::Contains("VERSION=1.1.3"));
  CHECK_THAT(kept, !Catch::Contains("data1"));
  CHECK_THAT(kept, !Catch::Contains("/dev/vdd"));
  CHECK_THAT(devices_file_without(text, {"/dev/sda"}, {}), !Catch::Contains("naa.5000"));
}
