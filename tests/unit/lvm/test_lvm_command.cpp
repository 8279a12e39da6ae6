#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/lvm/lvm_command.hpp"

using lvmd::Code;
using lvmd::lvm::kMaxArguments;
using lvmd::lvm::LvmCommand;

TEST_CASE("a command line is the arguments, separated by spaces", "[lvm]") {
  LvmCommand command{"lvcreate"};
  command.flag("-y").option("-n", "lv0").operand("vg0");
  CHECK(command.line().value() == "lvcreate -y -n lv0 vg0");
  CHECK(command.summary() == "lvcreate vg0");
}

TEST_CASE("an argument that lvm2_run would split is refused", "[lvm]") {
  const std::string argument =
      GENERATE("a b", "a\tb", "a\nb", "a\"b", "a'b", "a\\b", "", "a\x01", "a\x7f");
  const auto as_operand = LvmCommand{"lvs"}.operand(argument).line();
  REQUIRE_FALSE(as_operand);
  CHECK(as_operand.error().code == Code::kInvalidArgument);
  CHECK_FALSE(LvmCommand{"lvs"}.option("-n", argument).line());
  const std::vector<std::string> arguments{argument};
  CHECK_FALSE(LvmCommand{"lvs"}.configured(arguments).line());
}

TEST_CASE("a caller's value cannot be an option, a configured argument can", "[lvm]") {
  const auto operand = LvmCommand{"lvremove"}.operand("-f").line();
  REQUIRE_FALSE(operand);
  CHECK(operand.error().message == "\"-f\" begins with '-': LVM would read it as an option");
  CHECK_FALSE(LvmCommand{"lvcreate"}.option("-n", "--yes").line());
  const std::vector<std::string> arguments{"--type=raid1", "-m1"};
  CHECK(LvmCommand{"lvcreate"}.configured(arguments).line().value() == "lvcreate --type=raid1 -m1");
}

TEST_CASE("an argument that lvm2_run would read as a comment is refused", "[lvm]") {
  CHECK_FALSE(LvmCommand{"lvs"}.operand("#x").line());
  CHECK_FALSE(LvmCommand{"lvs"}.option("--addtag", "#x").line());
  const std::vector<std::string> arguments{"#x"};
  CHECK_FALSE(LvmCommand{"lvs"}.configured(arguments).line());
  CHECK(LvmCommand{"lvcreate"}.assignment("--addtag", "#x").operand("vg0").line().value() ==
        "lvcreate --addtag=#x vg0");
}

TEST_CASE("a command has at most 63 arguments [P-NAME-6]", "[lvm]") {
  LvmCommand command{"lvcreate"};
  for (std::size_t i = 1; i < kMaxArguments; ++i) command.flag("-y");
  CHECK(command.line());
  command.flag("-y");
  const auto line = command.line();
  REQUIRE_FALSE(line);
  CHECK(line.error().code == Code::kInvalidArgument);
  CHECK(line.error().message ==
        "the lvcreate command would have 64 arguments, LVM accepts at most 63: use fewer tags or "
        "options");
}

TEST_CASE("a command reads only the given devices, whatever the host's configuration [P-RUN-8]",
          "[lvm]") {
  LvmCommand command{"lvremove"};
  command.operand("vg0/a");
  const std::string before = command.settings();
  CHECK_THAT(before, !Catch::Contains("devices{"));
  const std::vector<std::string> devices{"/dev/sdb", "/dev/mapper/disk.2"};
  command.only_devices(devices);
  CHECK(command.settings() ==
        before + R"(devices{use_devicesfile=0}devices{hints="none"})" +
            R"(devices{obtain_device_list_from_udev=0}devices{global_filter=["a|.*|"]})" +
            R"(devices{filter=["a|^/dev/sdb$|","a|^/dev/mapper/disk[.]2$|","r|.*|"]})");
  command.config(command.settings());
  CHECK(command.line());
}

TEST_CASE("a command notifies lvmdbusd as the host has it, unless the caller excludes it",
          "[lvm]") {
  LvmCommand command{"lvremove"};
  const std::string before = command.settings();
  CHECK_THAT(before, !Catch::Contains("notify_dbus"));
  CHECK(command.without_dbus_notification().settings() == before + "global{notify_dbus=0}");
}

TEST_CASE("with a path that no filter can express, LVM selects the devices", "[lvm]") {
  LvmCommand command{"lvs"};
  const std::string before = command.settings();
  const std::vector<std::string> devices{"/dev/sdb", "/dev/odd(name)"};
  command.only_devices(devices);
  CHECK(command.settings() == before);
  CHECK(command.devices().empty());
}

TEST_CASE("a command has an option if the caller waits for udev in place of LVM", "[lvm]") {
  LvmCommand command{"lvcreate"};
  CHECK(command.with_options().line().value() == "lvcreate");
  command.without_udev_sync();
  CHECK(command.with_options().line().value() == "lvcreate --noudevsync");
  CHECK(command.line().value() == "lvcreate");
}

TEST_CASE("a command writes no copies of the metadata if the caller does", "[lvm]") {
  LvmCommand command{"lvcreate"};
  const std::string before = command.settings();
  CHECK_THAT(before, !Catch::Contains("backup"));
  CHECK(command.without_metadata_backup().settings() ==
        before + "backup{backup=0}backup{archive=0}");
}
