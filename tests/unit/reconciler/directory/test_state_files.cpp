#include <sys/sysmacros.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "reconciler/directory/record.hpp"
#include "reconciler/directory/status_file.hpp"
#include "reconciler/directory/yaml_text.hpp"
#include "reconciler/model/uuid.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::directory;

namespace {

const Key kKey{.group = Group::kLegacy, .name = "data"};
const std::string kUid = "6f0c9f3e-2d5b-4b0a-9a53-0c1b7e1f6a11";

}  // namespace

TEST_CASE("records are read back as written [R-REC-3]", "[reconciler][directory]") {
  const Record record{.key = kKey,
                      .uid = kUid,
                      .device_class = GENERATE(as<std::string>{}, "", "ssd", "12", "true"),
                      .created = GENERATE(false, true),
                      .removing = GENERATE(false, true)};
  const auto parsed = parse_record(kKey, format_record(record));
  REQUIRE(parsed.has_value());
  CHECK(*parsed == record);
}

TEST_CASE("a record that is incomplete or another object's is refused [R-REC-5]",
          "[reconciler][directory]") {
  const Record record{.key = kKey, .uid = kUid, .device_class = "ssd"};
  const std::string good = format_record(record);
  const auto without = [&](const std::string& line) {
    std::string text = good;
    text.erase(text.find(line), line.size());
    return text;
  };
  CHECK_FALSE(parse_record(kKey, ""));
  CHECK_FALSE(parse_record(kKey, good.substr(0, good.size() / 2)));
  CHECK_FALSE(parse_record(kKey, without("uid: " + kUid + "\n")));
  CHECK_FALSE(parse_record(kKey, without("deviceClass: ssd\n")));
  CHECK_FALSE(parse_record(kKey, without("created: false\n")));
  CHECK_FALSE(parse_record(kKey, without("removing: false\n")));
  CHECK_FALSE(parse_record({.name = "data"}, good));
  CHECK_FALSE(parse_record({.group = Group::kLegacy, .name = "other"}, good));
}

TEST_CASE("record files are named by group and name [R-REC-1]", "[reconciler][directory]") {
  CHECK(record_file_name(kKey) == "topolvm.cybozu.com_data.record.yaml");
  CHECK(key_of_record_file("topolvm.cybozu.com_data.record.yaml") == kKey);
  CHECK(key_of_record_file("topolvm.io_a.b.record.yaml") == Key{.name = "a.b"});
  const std::string other = GENERATE(as<std::string>{}, "_folder.record.yaml", "x_data.record.yaml",
                                     "topolvm.io_.record.yaml", "topolvm.io_A.record.yaml",
                                     "data.status.yaml", "topolvm.io_a.record.yaml.new");
  CHECK_FALSE(key_of_record_file(other));
}

TEST_CASE("status files are named by name, with the older group in front [R-STAT-1]",
          "[reconciler][directory]") {
  CHECK(status_file_name({.name = "data"}) == "data.status.yaml");
  CHECK(status_file_name(kKey) == "topolvm.cybozu.com.data.status.yaml");
  CHECK(key_of_status_file("data.status.yaml") == Key{.name = "data"});
  CHECK(key_of_status_file("topolvm.cybozu.com.data.status.yaml") == kKey);
  CHECK_FALSE(key_of_status_file("_folder.status.yaml"));
  CHECK_FALSE(key_of_status_file("data.status.yaml.new"));
}

TEST_CASE("a status file has the object's shape [R-STAT-2]", "[reconciler][directory]") {
  const VolumeStatus status{.volume_id = kUid, .current_size = Bytes{1073741824}};
  CHECK(format_status({.name = "data"}, kUid, status) ==
        "apiVersion: topolvm.io/v1\nkind: LogicalVolume\nmetadata:\n  name: data\n  uid: " + kUid +
            "\nstatus:\n  volumeID: " + kUid +
            "\n  code: 0\n  message: \"\"\n  currentSize: 1Gi\n");
}

TEST_CASE("statuses are read back as written, whatever the message [R-STAT-2, R-CSI-1]",
          "[reconciler][directory]") {
  const VolumeStatus status{.volume_id = GENERATE(as<std::string>{}, "", kUid),
                            .code = 13,
                            .message = GENERATE(as<std::string>{}, "", "true", "a: b # c",
                                                "two\nlines", "\"q\" \\", "12"),
                            .current_size = Bytes{4194304},
                            .conditions = {{.type = "Ready",
                                            .status = "False",
                                            .reason = "Internal",
                                            .message = "- {a: b}",
                                            .last_transition_time = "2026-01-01T00:00:00Z"}},
                            .csi = CsiStatus{.state = "Failed",
                                             .publications = 3,
                                             .failure = CsiFailure{.call = "NodeStageVolume",
                                                                   .reason = "VolumeBlank",
                                                                   .message = "a: b # c"}}};
  const auto parsed = parse_status(format_status(kKey, kUid, status));
  REQUIRE(parsed.has_value());
  CHECK(*parsed == status);
  CHECK_FALSE(parse_status("status: {code: x}\n"));
  CHECK_FALSE(parse_status(""));
}

TEST_CASE("the folder's status lists the unreadable files [R-STAT-4]", "[reconciler][directory]") {
  CHECK(format_folder_status({}) == "trusted: true\nreason: \"\"\nfiles: []\n");
  const auto text = format_folder_status(
      {.distrust = "gone", .problems = {{.name = "a.yaml", .line = 3, .message = "not YAML"}}});
  const auto node = parse_mapping(text);
  REQUIRE(node.has_value());
  CHECK_FALSE((*node)["trusted"].as<bool>());
  CHECK((*node)["files"][0]["line"].as<int>() == 3);
  CHECK((*node)["files"][0]["code"].as<int>() == 3);
}

TEST_CASE("the folder's record is read back [R-DIR-4]", "[reconciler][directory]") {
  const FolderIdentity identity{.device = 64768, .inode = 18446744073709551615U};
  CHECK(parse_folder_record(format_folder_record(identity)) == identity);
  const FolderIdentity born{.device = 41, .inode = 2, .born = 1'732'363'200'123'456'789};
  CHECK(parse_folder_record(format_folder_record(born)) == born);
  CHECK_FALSE(parse_folder_record("device: 1\n").has_value());
  CHECK_FALSE(parse_folder_record("device: 1\ninode: 2\nborn: yesterday\n").has_value());
  CHECK_FALSE(parse_folder_record("device: a\ninode: 2\n").has_value());
}

TEST_CASE("a folder is identified by its time of creation, otherwise by inode and device [R-DIR-5]",
          "[reconciler][directory]") {
  const std::uint64_t disk = ::makedev(253, 4);
  const std::uint64_t anonymous = ::makedev(0, 41);
  const FolderIdentity folder{.device = disk, .inode = 256, .born = 7};
  CHECK(is_same_folder(folder, {.device = anonymous, .inode = 1, .born = 7}));
  CHECK_FALSE(is_same_folder(folder, {.device = disk, .inode = 256, .born = 8}));
  CHECK(is_same_folder(folder, {.device = disk, .inode = 256}));
  CHECK_FALSE(is_same_folder(folder, {.device = disk + 1, .inode = 256}));
  CHECK_FALSE(is_same_folder(folder, {.device = disk, .inode = 257}));
  const FolderIdentity unknown{.device = anonymous, .inode = 256};
  CHECK(is_same_folder(unknown, {.device = anonymous + 1, .inode = 256, .born = 7}));
  CHECK_FALSE(is_same_folder(unknown, {.device = anonymous + 1, .inode = 257}));
  CHECK_FALSE(is_same_folder(unknown, {.device = disk, .inode = 256}));
}

TEST_CASE("UUIDs are of version 4 and differ [R-REC-1]", "[reconciler][directory]") {
  const auto a = random_uuid();
  const auto b = random_uuid();
  REQUIRE(a.has_value());
  REQUIRE(b.has_value());
  CHECK(is_uuid(*a));
  CHECK((*a)[14] == '4');
  CHECK(std::string{"89ab"}.contains((*a)[19]));
  CHECK(*a != *b);
  CHECK_FALSE(is_uuid("6F0C9F3E-2D5B-4B0A-9A53-0C1B7E1F6A11"));
  CHECK_FALSE(is_uuid(""));
}
