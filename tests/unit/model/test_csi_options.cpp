#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/model/csi_options.hpp"
#include "lvmd/model/mount_rules.hpp"

using namespace lvmd;
using namespace lvmd::model;

namespace {

using Flags = std::vector<std::string>;

// Why the option is refused, without the field. Or "accepted".
std::string why_option_is_refused(const Flags& flags, const std::string& option,
                                  std::string_view fs_type) {
  const auto options = parse_csi_options(flags, fs_type);
  if (options) return "accepted";
  CHECK(options.error().code == Code::kInvalidArgument);
  CHECK(options.error().reason == "INVALID_MOUNT_OPTION");
  CHECK(options.error().metadata ==
        std::vector<std::pair<std::string, std::string>>{
            {"field", "volume_capability.mount.mount_flags"}, {"value", option}});
  const std::string field = "volume_capability.mount.mount_flags: ";
  CHECK(options.error().message.find(field + "\"" + option + "\" ") == 0);
  return options.error().message.substr(field.size());
}

std::string why_flag_is_refused(const Flags& flags, std::string_view fs_type) {
  return why_option_is_refused(flags, flags.back(), fs_type);
}

bool is_of_file_system(const std::string& option, std::string_view fs_type) {
  return parse_csi_options(Flags{option}, fs_type) == CsiOptions{.file_system = {option}};
}

}  // namespace

TEST_CASE("no options are valid options of a CSI volume", "[model]") {
  for (const char* const fs_type : {"ext4", "xfs", "btrfs", ""})
    CHECK(parse_csi_options({}, fs_type) == CsiOptions{});
}

TEST_CASE("options of CSI volumes are of a place or of the file system", "[model]") {
  CHECK(parse_csi_options(Flags{"noatime", "data=journal", "nosuid", "commit=30", "lazytime"},
                          "ext4") ==
        CsiOptions{.place = {"noatime", "nosuid"},
                   .file_system = {"data=journal", "commit=30", "lazytime"}});
  const std::string fs_type = GENERATE("ext4", "xfs", "btrfs", "");
  CAPTURE(fs_type);
  for (const char* const option :
       {"noatime", "nodiratime", "relatime", "strictatime", "noexec", "nosuid", "nodev"})
    CHECK(parse_csi_options(Flags{option}, fs_type) == CsiOptions{.place = {option}});
  for (const char* const option : {"lazytime", "sync", "dirsync", "discard", "nodiscard"})
    CHECK(is_of_file_system(option, fs_type));
  CHECK(parse_csi_options(Flags{"ro"}, fs_type) == CsiOptions{.read_only = true});
  CHECK(parse_csi_options(Flags{"rw"}, fs_type) == CsiOptions{});
}

TEST_CASE("a CSI volume may have every option of MountService", "[model]") {
  for (const std::string_view option : kPlaceOptions)
    CHECK(parse_csi_options(Flags{std::string{option}}, "ext4"));
  for (const std::string_view option : kFileSystemOptions)
    CHECK(parse_csi_options(Flags{std::string{option}}, "ext4"));
}

TEST_CASE("each type of file system has options of its own", "[model]") {
  for (const char* const option :
       {"data=ordered", "data=journal", "data=writeback", "commit=1", "commit=2147483",
        "errors=remount-ro", "errors=continue", "barrier", "nobarrier", "journal_checksum"})
    CHECK(is_of_file_system(option, "ext4"));
  for (const char* const option :
       {"allocsize=4k", "allocsize=4096", "allocsize=64K", "allocsize=1m", "allocsize=512M",
        "allocsize=1g", "allocsize=1G", "allocsize=1073741824", "logbufs=2", "logbufs=8",
        "logbsize=16k", "logbsize=16384", "logbsize=256K", "logbsize=262144", "largeio", "swalloc"})
    CHECK(is_of_file_system(option, "xfs"));
  for (const char* const option :
       {"compress=zlib", "compress=zlib:1", "compress=zlib:9", "compress=lzo", "compress=zstd",
        "compress=zstd:1", "compress=zstd:15", "compress-force=zlib:3", "compress-force=lzo",
        "compress-force=zstd", "ssd", "nossd", "autodefrag", "commit=30", "space_cache=v2"})
    CHECK(is_of_file_system(option, "btrfs"));
}

TEST_CASE("an option with a wrong value is refused with the values", "[model]") {
  const auto [fs_type, form, values] = GENERATE(table<std::string, std::string, Flags>({
      {"ext4",
       "data=ordered|journal|writeback",
       {"data", "data=", "data=Ordered", "data=ordered "}},
      {"ext4",
       "commit=1..2147483",
       {"commit", "commit=", "commit=0", "commit=-1", "commit=+1", "commit=05", "commit=1s",
        "commit=2147484", "commit=99999999999999999999", "commit=0x10", "commit=1=1"}},
      {"ext4", "errors=remount-ro|continue", {"errors", "errors=", "errors=PANIC"}},
      {"ext4", "barrier", {"barrier=", "barrier=0", "barrier=1"}},
      {"ext4", "nobarrier", {"nobarrier=1"}},
      {"ext4", "journal_checksum", {"journal_checksum=crc32"}},
      {"xfs",
       "allocsize=4k..1g",
       {"allocsize", "allocsize=", "allocsize=k", "allocsize=0", "allocsize=2k", "allocsize=4095",
        "allocsize=5k", "allocsize=2g", "allocsize=1t", "allocsize=4kk", "allocsize=04k",
        "allocsize=-4k", "allocsize=17179869184g", "allocsize=99999999999999999999"}},
      {"xfs", "logbufs=2..8", {"logbufs", "logbufs=", "logbufs=0", "logbufs=1", "logbufs=9"}},
      {"xfs",
       "logbsize=16k..256k",
       {"logbsize", "logbsize=", "logbsize=0", "logbsize=8k", "logbsize=48k", "logbsize=512k",
        "logbsize=1m", "logbsize=1g"}},
      {"xfs", "largeio", {"largeio=1"}},
      {"btrfs",
       "compress=zlib[:1..9]|lzo|zstd[:1..15]",
       {"compress", "compress=", "compress=no", "compress=zlib:", "compress=zlib:0",
        "compress=zlib:10", "compress=lzo:1", "compress=zstd:0", "compress=zstd:16",
        "compress=zstd:-1", "compress=zstd3", "compress=ZSTD"}},
      {"btrfs",
       "compress-force=zlib[:1..9]|lzo|zstd[:1..15]",
       {"compress-force", "compress-force=lz4"}},
      {"btrfs", "space_cache=v2", {"space_cache", "space_cache=", "space_cache=v1"}},
      {"btrfs", "commit=1..2147483", {"commit", "commit=0"}},
  }));
  for (const std::string& option : values)
    CHECK(why_flag_is_refused({option}, fs_type) == fmt::format("\"{}\" must be {}", option, form));
}

TEST_CASE("no volume may stop the node by errors=panic", "[model]") {
  CHECK(why_flag_is_refused({"errors=panic"}, "ext4") ==
        "\"errors=panic\" would stop the whole node for one damaged volume: use "
        "errors=remount-ro|continue");
}

TEST_CASE("an option of another type of file system is refused with its types", "[model]") {
  CHECK(why_flag_is_refused({"logbufs=4"}, "ext4") ==
        "\"logbufs=4\" is only for xfs, but fs_type is \"ext4\"");
  CHECK(why_flag_is_refused({"commit=5"}, "xfs") ==
        "\"commit=5\" is only for ext4 and btrfs, but fs_type is \"xfs\"");
  CHECK(why_flag_is_refused({"data=ordered"}, "btrfs") ==
        "\"data=ordered\" is only for ext4, but fs_type is \"btrfs\"");
  CHECK(why_flag_is_refused({"ssd"}, "") == "\"ssd\" is only for btrfs, but fs_type is \"\"");
}

TEST_CASE("an option that CSI volumes do not have is refused with all that they have", "[model]") {
  CHECK(why_flag_is_refused({"usrquota"}, "xfs") ==
        "\"usrquota\" is not one of noatime, nodiratime, relatime, noexec, strictatime, nosuid, "
        "nodev, ro, rw, lazytime, sync, dirsync, discard, nodiscard, allocsize=4k..1g, "
        "logbufs=2..8, logbsize=16k..256k, largeio, swalloc, context=\"LABEL\"");
  const std::string fs_type = GENERATE("ext4", "xfs", "btrfs");
  for (const std::string& option : Flags{"",
                                         " ",
                                         "=",
                                         "=1",
                                         "suid",
                                         "dev",
                                         "exec",
                                         "atime",
                                         "async",
                                         "remount",
                                         "bind",
                                         "defaults",
                                         "noload",
                                         "norecovery",
                                         "nouuid",
                                         "rescue=all",
                                         "subvol=a",
                                         "device=/dev/sda",
                                         "logdev=/dev/sda",
                                         "journal_path=/dev/sda",
                                         "usrjquota=a",
                                         "NOATIME",
                                         "noatime ",
                                         " noatime",
                                         "noatime=1",
                                         "ro=1",
                                         "noatime\n",
                                         "noatime\t",
                                         "x-mount.mkdir",
                                         "loop",
                                         "user",
                                         "fscontext=\"a:b:c\"",
                                         "defcontext=a:b:c",
                                         "rootcontext=a:b:c",
                                         "\"noatime\"",
                                         "--bind",
                                         "discard=async",
                                         std::string("noatime\0", 8),
                                         std::string("\0", 1)}) {
    CAPTURE(option, fs_type);
    CHECK(
        why_flag_is_refused({option}, fs_type).find("\"" + option + "\" is not one of noatime, ") ==
        0);
  }
}

TEST_CASE("no option of a CSI volume contradicts another or is given twice", "[model]") {
  const auto [first, second, fs_type] = GENERATE(table<std::string, std::string, std::string>({
      {"ro", "rw", "ext4"},
      {"noatime", "relatime", "ext4"},
      {"noatime", "strictatime", "xfs"},
      {"relatime", "strictatime", "btrfs"},
      {"discard", "nodiscard", "ext4"},
      {"barrier", "nobarrier", "ext4"},
      {"data=ordered", "data=journal", "ext4"},
      {"commit=5", "commit=6", "ext4"},
      {"errors=continue", "errors=remount-ro", "ext4"},
      {"logbsize=16k", "logbsize=16384", "xfs"},
      {"compress=zstd", "compress-force=zstd", "btrfs"},
      {"compress=zstd", "compress=lzo", "btrfs"},
      {"ssd", "nossd", "btrfs"},
      {"context=\"a:b:c\"", "context=a:b:c", "ext4"},
  }));
  CHECK(why_flag_is_refused({first, "noexec", second}, fs_type) ==
        "\"" + second + "\" and \"" + first + "\" exclude each other");
  CHECK(why_flag_is_refused({second, first}, fs_type) ==
        "\"" + first + "\" and \"" + second + "\" exclude each other");
  CHECK(why_flag_is_refused({first, "nodev", first}, fs_type) ==
        "\"" + first + "\" is given twice");
}

TEST_CASE("options of CSI volumes that go together are accepted", "[model]") {
  CHECK(
      parse_csi_options(Flags{"ro", "noatime", "nodiratime", "nosuid", "nodev", "noexec"}, "xfs") ==
      CsiOptions{.read_only = true,
                 .place = {"noatime", "nodiratime", "nosuid", "nodev", "noexec"}});
  CHECK(parse_csi_options(Flags{"strictatime", "nodiratime", "sync", "dirsync", "lazytime"},
                          "btrfs"));
}

TEST_CASE("kubelet's SELinux context may have commas between its quotes", "[model]") {
  const std::string label = "system_u:object_r:container_file_t:s0:c1,c25";
  CHECK(parse_csi_options(Flags{"noatime", "context=\"" + label + "\""}, "ext4") ==
        CsiOptions{.place = {"noatime"}, .context = label});
  CHECK(parse_csi_options(Flags{"context=system_u:object_r:nfs_t:s0"}, "xfs") ==
        CsiOptions{.context = "system_u:object_r:nfs_t:s0"});
  CHECK(parse_csi_options(Flags{"context=\"a:b:c:s0-s15:c0.c1023\""}, "btrfs")->context ==
        "a:b:c:s0-s15:c0.c1023");
  const std::string longest(1000, 'x');
  CHECK(parse_csi_options(Flags{"context=\"" + longest + "\""}, "ext4")->context == longest);
  for (const std::string& option :
       Flags{"context", "context=", "context=\"\"", "context=\"", "context=\"a:b:c",
             "context=a:b:c\"", "context=\"a:b\"c\"", "context=\"a\\b\"", "context=\"a b\"",
             "context=\"a\nb\"", "context='a:b:c'", "context=\"\xc3\xa4\"", "context=\"a=b\"",
             std::string("context=\"a\0b\"", 13), "context=\"" + longest + "x\""}) {
    CAPTURE(option);
    CHECK(why_flag_is_refused({option}, "ext4") ==
          "\"" + option +
              "\" must be context=\"LABEL\" with a label of 1 to 1000 letters, digits, and "
              "characters of _.:,-");
  }
}

TEST_CASE("a flag may have several options, separated by commas", "[model]") {
  const CsiOptions expected{.read_only = true,
                            .place = {"noatime", "nodiratime", "nosuid"},
                            .file_system = {"data=journal", "commit=30"}};
  CHECK(parse_csi_options(
            Flags{"noatime", "data=journal", "nodiratime", "ro", "commit=30", "nosuid"}, "ext4") ==
        expected);
  CHECK(parse_csi_options(Flags{"noatime,data=journal,nodiratime,ro,commit=30,nosuid"}, "ext4") ==
        expected);
  CHECK(parse_csi_options(Flags{"noatime", "data=journal,nodiratime", "ro,commit=30,nosuid"},
                          "ext4") == expected);
}

TEST_CASE("only a comma outside quotes separates options", "[model]") {
  const CsiOptions expected{.place = {"noatime", "nosuid"}, .context = "a:b:c:s0:c1,c25"};
  CHECK(parse_csi_options(Flags{"noatime,context=\"a:b:c:s0:c1,c25\",nosuid"}, "xfs") == expected);
  CHECK(parse_csi_options(Flags{"context=\"a:b:c:s0:c1,c25\",noatime,nosuid"}, "xfs") == expected);
  CHECK(parse_csi_options(Flags{"noatime,nosuid,context=\"a:b:c:s0:c1,c25\""}, "xfs") == expected);
  // Without quotes the label ends at the comma.
  CHECK(parse_csi_options(Flags{"context=a:b:c,noatime,nosuid"}, "xfs")->context == "a:b:c");
  CHECK(why_option_is_refused({"context=a:b:c:s0:c1,c2"}, "c2", "xfs").contains("is not one of"));
  // The quotes are not closed.
  for (const std::string& option : Flags{"context=\"a:b:c,noatime", "context=\"a\"\",noatime"})
    CHECK(why_option_is_refused({"nosuid," + option}, option, "xfs").contains("must be context="));
}

TEST_CASE("each option of a flag is checked as if it was alone", "[model]") {
  const auto [flag, option, why] = GENERATE(table<std::string, std::string, std::string>({
      {"noatime,suid", "suid", "is not one of"},
      {"suid,noatime", "suid", "is not one of"},
      {"context=\"a:b:c\",suid", "suid", "is not one of"},
      {"noatime, nosuid", " nosuid", "is not one of"},
      {",", "", "is not one of"},
      {"noatime,", "", "is not one of"},
      {",noatime", "", "is not one of"},
      {"noatime,,nosuid", "", "is not one of"},
      {"noatime,\"nosuid,nodev\"", "\"nosuid,nodev\"", "is not one of"},
      {std::string("noatime\0,suid", 13), std::string("noatime\0", 8), "is not one of"},
      {"data=ordered,commit=0", "commit=0", "must be commit="},
      {"data=\"ordered,journal\"", "data=\"ordered,journal\"", "must be data="},
      {"noatime,logbufs=4", "logbufs=4", "is only for xfs"},
      {"ro,noatime,rw", "rw", "and \"ro\" exclude each other"},
      {"noatime,nosuid,noatime", "noatime", "is given twice"},
  }));
  CAPTURE(flag);
  CHECK(why_option_is_refused({"nodev", flag}, option, "ext4").contains(why));
}

TEST_CASE("options in different flags may exclude each other", "[model]") {
  CHECK(why_option_is_refused({"noexec,ro", "noatime,rw"}, "rw", "ext4") ==
        "\"rw\" and \"ro\" exclude each other");
  CHECK(why_option_is_refused({"noexec,ro", "noatime,ro"}, "ro", "ext4") ==
        "\"ro\" is given twice");
}
