#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/metadata/metadata_reader.hpp"
#include "tests/unit/metadata/pv_image.hpp"
#include "tests/unit/metadata/sample_text.hpp"

using namespace lvmd;
using namespace lvmd::metadata;
using namespace lvmd::metadata::test;

namespace {

std::string sample_of(int seqno) {
  return sample_with("seqno = 42", "seqno = " + std::to_string(seqno));
}

// Two devices with the group of the sample.
struct TwoDevices {
  ScratchFolder folder;
  PvImage pv0{folder.file("pv0"), kPv0Id, {PvImage::kFirstArea, PvImage::kSecondArea}};
  PvImage pv1{folder.file("pv1"), kPv1Id};
  std::vector<std::string> paths{pv0.path(), pv1.path()};
  MetadataReader reader{"vg1"};

  void commit_all(const std::string& text) {
    pv0.commit(text, 0);
    pv0.commit(text, 1);
    pv1.commit(text);
  }
};

}  // namespace

TEST_CASE("a group is read from its devices, and devices are found by PV id", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  const auto group = devices.reader.read(devices.paths);
  REQUIRE(group);
  CHECK((*group)->seqno == 42);
  CHECK((*group)->physical_volumes[0].device == devices.pv0.path());
  CHECK((*group)->physical_volumes[1].device == devices.pv1.path());
  CHECK((*group)->unknown_physical_volumes.empty());
  CHECK(devices.reader.parse_count() == 1);
}

TEST_CASE("an unchanged group is the same object and is not parsed again", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  const auto first = devices.reader.read(devices.paths);
  const auto second = devices.reader.read(devices.paths);
  REQUIRE((first && second));
  CHECK(*first == *second);
  CHECK(devices.reader.parse_count() == 1);

  devices.commit_all(sample_of(43));
  const auto third = devices.reader.read(devices.paths);
  REQUIRE(third);
  CHECK((*third)->seqno == 43);
  CHECK((*first)->seqno == 42);
  CHECK(devices.reader.parse_count() == 2);
}

TEST_CASE("a smaller seqno on all devices is the state, as after vgcfgrestore", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_of(43));
  REQUIRE(devices.reader.read(devices.paths));
  devices.commit_all(sample_of(40));
  const auto group = devices.reader.read(devices.paths);
  REQUIRE(group);
  CHECK((*group)->seqno == 40);
}

TEST_CASE("of different texts, the one with the largest seqno is used [E-NATIVE-3]", "[metadata]") {
  TwoDevices devices;
  devices.pv0.commit(sample_of(41), 0);
  devices.pv0.commit(sample_of(43), 1, 20480);
  devices.pv1.commit(sample_of(42));
  const auto group = devices.reader.read(devices.paths);
  REQUIRE(group);
  CHECK((*group)->seqno == 43);
}

TEST_CASE("the newest undamaged text is used if the newest is damaged [E-NATIVE-3]", "[metadata]") {
  TwoDevices devices;
  devices.pv0.commit(sample_of(41), 0);
  devices.pv0.commit(sample_of(43), 1);
  devices.pv1.commit(sample_of(42));
  devices.pv0.overwrite(PvImage::kSecondArea.offset + 512 + 200, "damage");
  const auto group = devices.reader.read(devices.paths);
  REQUIRE(group);
  CHECK((*group)->seqno == 42);
}

TEST_CASE("the other areas are used if a header is damaged", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  devices.pv0.overwrite(PvImage::kFirstArea.offset + 30, "damage");
  CHECK(devices.reader.read(devices.paths));
  CHECK(devices.reader.read(devices.paths));
  CHECK(devices.reader.parse_count() == 1);
}

TEST_CASE("an ignored area is not used", "[metadata]") {
  TwoDevices devices;
  devices.pv0.commit(sample_of(99), 0, 512, 1);
  devices.pv1.commit(sample_of(42));
  const auto group = devices.reader.read(devices.paths);
  REQUIRE(group);
  CHECK((*group)->seqno == 42);
}

TEST_CASE("devices of other groups, without label or absent have no effect", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  PvImage other{devices.folder.file("other"), "cccccccccccccccccccccccccccccccc"};
  other.commit(empty_group("vg10", kVgId, 1000));
  PvImage blank{devices.folder.file("blank"), "dddddddddddddddddddddddddddddddd"};
  blank.overwrite(0, std::string(2048, '\0'));
  devices.paths.insert(devices.paths.begin(),
                       {other.path(), blank.path(), devices.folder.file("absent")});
  const auto group = devices.reader.read(devices.paths);
  REQUIRE(group);
  CHECK((*group)->seqno == 42);
}

TEST_CASE("a device given twice is one device", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  std::filesystem::create_symlink(devices.pv0.path(), devices.folder.file("link"));
  devices.paths.push_back(devices.folder.file("link"));
  CHECK(devices.reader.read(devices.paths));
}

TEST_CASE("a group with two devices of the same PV id is unavailable", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  std::filesystem::copy_file(devices.pv0.path(), devices.folder.file("copy"));
  devices.paths.push_back(devices.folder.file("copy"));
  const auto group = devices.reader.read(devices.paths);
  REQUIRE_FALSE(group);
  CHECK(group.error() ==
        Error{Code::kUnavailable, "volume group vg1: the devices " + devices.pv0.path() + " and " +
                                      devices.folder.file("copy") + " have the same PV id " +
                                      std::string{kPv0Id} + ": hide one of them from LVM"});
}

TEST_CASE("copies of another group's device have no effect", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  for (const char* const name : {"x", "y"}) {
    const PvImage other{devices.folder.file(name), "cccccccccccccccccccccccccccccccc"};
    devices.paths.push_back(other.path());
  }
  CHECK(devices.reader.read(devices.paths));
}

TEST_CASE("two groups with the same name are unavailable", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  PvImage other{devices.folder.file("other"), "cccccccccccccccccccccccccccccccc"};
  other.commit(empty_group("vg1", "Zkn0Sw5p2rNL0PjZ2cQ8W1aBcDeFgHiJ", 1));
  devices.paths.push_back(other.path());
  const auto group = devices.reader.read(devices.paths);
  REQUIRE_FALSE(group);
  CHECK(group.error().code == Code::kUnavailable);
  CHECK(group.error().message.starts_with("two volume groups are named vg1"));
}

TEST_CASE("a physical volume without a device is missing, and is listed", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  const std::vector<std::string> one{devices.pv0.path()};
  const auto group = devices.reader.read(one);
  REQUIRE(group);
  CHECK_FALSE((*group)->physical_volumes[0].missing);
  CHECK((*group)->physical_volumes[1].missing);
  CHECK((*group)->physical_volumes[1].device.empty());
  CHECK((*group)->unknown_physical_volumes == std::vector<std::string>{std::string{kPv1Id}});

  const auto again = devices.reader.read(devices.paths);
  REQUIRE(again);
  CHECK((*again)->unknown_physical_volumes.empty());
}

TEST_CASE("a physical volume that LVM marks as missing is not listed", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(
      sample_with("status = []\n\t\t\tflags = []", "status = []\n\t\t\tflags = [\"MISSING\"]"));
  const std::vector<std::string> one{devices.pv0.path()};
  const auto group = devices.reader.read(one);
  REQUIRE(group);
  CHECK((*group)->physical_volumes[1].missing);
  CHECK((*group)->unknown_physical_volumes.empty());
  const auto back = devices.reader.read(devices.paths);
  REQUIRE(back);
  CHECK((*back)->physical_volumes[1].missing);
}

TEST_CASE("a group on no device is unavailable, with the problems found", "[metadata]") {
  const ScratchFolder folder;
  PvImage image{folder.file("pv"), kPv0Id};
  MetadataReader reader{"vg1"};
  const std::vector<std::string> paths{image.path(), folder.file("absent")};
  const auto empty = reader.read(paths);
  REQUIRE_FALSE(empty);
  CHECK(empty.error().code == Code::kUnavailable);
  CHECK(empty.error().message == "volume group vg1: none of 2 devices has its metadata (open " +
                                     folder.file("absent") + ": No such file or directory)");

  image.commit(sample_text());
  image.overwrite(4096 + 512 + 9, "damage");
  const auto damaged = reader.read(std::vector<std::string>{image.path()});
  REQUIRE_FALSE(damaged);
  CHECK(damaged.error().message == "volume group vg1: none of 1 devices has its metadata (" +
                                       image.path() +
                                       ": metadata area at 4096: its text has a wrong checksum)");

  image.commit(sample_text());
  CHECK(reader.read(std::vector<std::string>{image.path()}));
  CHECK_FALSE(reader.read({}));
}

TEST_CASE("a group with the accepted system id is read", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_with("max_lv = 0", "system_id = \"here\""));
  const auto foreign = devices.reader.read(devices.paths);
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().code == Code::kUnavailable);
  CHECK(devices.reader.read(devices.paths, "here"));
  // The system id that LVM accepts can change without a change on the disks.
  CHECK_FALSE(devices.reader.read(devices.paths, "elsewhere"));
}

TEST_CASE("an error is kept as long as no header changes", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_with("type = \"striped\"", "type = \"vdo\""));
  const auto first = devices.reader.read(devices.paths);
  const auto second = devices.reader.read(devices.paths);
  REQUIRE_FALSE(first);
  REQUIRE_FALSE(second);
  CHECK(first.error().code == Code::kUnimplemented);
  CHECK(first.error() == second.error());
  CHECK(devices.reader.parse_count() == 1);
}

namespace {

std::vector<std::string> damage(const MetadataReader& reader) {
  return reader.copies().damaged.value();
}

}  // namespace

TEST_CASE("a copy with a damaged header is reported, and the others are used [P-STATE-9]",
          "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  MetadataReader reader{"vg1", Copies::kVerify};
  REQUIRE(reader.read(devices.paths));
  CHECK(damage(reader).empty());
  devices.pv1.overwrite(PvImage::kFirstArea.offset, std::string(512, '\0'));
  REQUIRE(reader.read(devices.paths));
  REQUIRE(damage(reader).size() == 1);
  CHECK_THAT(damage(reader)[0], Catch::StartsWith(devices.pv1.path() + ": metadata area at 4096"));
  devices.pv1.commit(sample_text());
  REQUIRE(reader.read(devices.paths));
  CHECK(damage(reader).empty());
}

TEST_CASE("a damaged text with an intact header is found after a write [P-STATE-9]", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  MetadataReader reader{"vg1", Copies::kVerify};
  REQUIRE(reader.read(devices.paths));
  devices.pv1.overwrite(PvImage::kFirstArea.offset + 600, "XXXX");
  REQUIRE(reader.read(devices.paths));
  CHECK(damage(reader).empty());
  reader.doubt();
  const auto group = reader.read(devices.paths);
  REQUIRE(group);
  CHECK((*group)->seqno == 42);
  REQUIRE(damage(reader).size() == 1);
  CHECK_THAT(damage(reader)[0], Catch::Contains("wrong checksum"));
  // A read without a write before it keeps the result.
  REQUIRE(reader.read(devices.paths));
  CHECK(damage(reader).size() == 1);
  devices.pv1.commit(sample_text());
  reader.doubt();
  REQUIRE(reader.read(devices.paths));
  CHECK(damage(reader).empty());
}

TEST_CASE("a copy that is older than the others is reported [P-STATE-9]", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  devices.pv0.commit(sample_of(43), 0);
  devices.pv0.commit(sample_of(43), 1);
  MetadataReader reader{"vg1", Copies::kVerify};
  const auto group = reader.read(devices.paths);
  REQUIRE(group);
  CHECK((*group)->seqno == 43);
  REQUIRE(damage(reader).size() == 1);
  CHECK_THAT(damage(reader)[0], Catch::StartsWith(devices.pv1.path()) &&
                                    Catch::EndsWith("its text is older than the group's"));
}

TEST_CASE("a text that is on no device any more is not used [P-STATE-9]", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  MetadataReader reader{"vg1", Copies::kVerify};
  REQUIRE(reader.read(devices.paths));
  devices.pv0.overwrite(PvImage::kFirstArea.offset + 600, "XXXX");
  devices.pv0.overwrite(PvImage::kSecondArea.offset + 600, "XXXX");
  devices.pv1.overwrite(PvImage::kFirstArea.offset + 600, "XXXX");
  reader.doubt();
  CHECK_FALSE(reader.read(devices.paths));
  CHECK_FALSE(reader.read(devices.paths));
}

TEST_CASE("the error for a renamed group has the new name [P-STATE-9]", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  MetadataReader reader{"vg1"};
  REQUIRE(reader.read(devices.paths));
  CHECK(reader.other_group().empty());
  devices.commit_all(sample_with("vg1 {", "vg9 {"));
  const auto renamed = reader.read(devices.paths);
  REQUIRE_FALSE(renamed);
  CHECK_THAT(renamed.error().message,
             Catch::Contains("they have the metadata of volume group vg9"));
  CHECK(reader.other_group() == "vg9");
}

TEST_CASE("the free metadata space is the space that LVM can use [P-CREATE-10]", "[metadata]") {
  TwoDevices devices;
  devices.commit_all(sample_text());
  MetadataReader reader{"vg1"};
  REQUIRE(reader.read(devices.paths));
  const auto copies = reader.copies();
  CHECK(copies.longest_text.value == (65536 - 512) / 2 - 512);
  // A NUL ends the text.
  CHECK(copies.free.value == copies.longest_text.value - sample_text().size() - 1);
  CHECK_FALSE(copies.damaged);
}
