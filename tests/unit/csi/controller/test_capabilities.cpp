#include <catch2/catch.hpp>
#include <string>

#include "csi/controller/capabilities.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using Mode = api::VolumeCapability::AccessMode;

namespace {

std::string refusal(const Status& checked) {
  if (checked) return "";
  CHECK(checked.error().code == Code::kInvalidArgument);
  return checked.error().message;
}

Capabilities both(const api::VolumeCapability& one, const api::VolumeCapability& other) {
  Capabilities capabilities;
  *capabilities.Add() = one;
  *capabilities.Add() = other;
  return capabilities;
}

}  // namespace

TEST_CASE("the access modes of one node are supported, all others are not [C-CAP-1]",
          "[csi][controller]") {
  for (const auto mode : {Mode::SINGLE_NODE_WRITER, Mode::SINGLE_NODE_READER_ONLY,
                          Mode::SINGLE_NODE_SINGLE_WRITER, Mode::SINGLE_NODE_MULTI_WRITER})
    CHECK(refusal(check_capability(mount_capability("", mode))).empty());
  for (const auto mode : {Mode::UNKNOWN, Mode::MULTI_NODE_READER_ONLY,
                          Mode::MULTI_NODE_SINGLE_WRITER, Mode::MULTI_NODE_MULTI_WRITER})
    CHECK(refusal(check_capability(mount_capability("", mode))).contains(Mode::Mode_Name(mode)));
}

TEST_CASE("a volume has ext4, xfs, btrfs or no file system [C-CAP-2]", "[csi][controller]") {
  for (const char* const type : {"", "ext4", "xfs", "btrfs"})
    CHECK(refusal(check_capability(mount_capability(type))).empty());
  CHECK(refusal(check_capability(block_capability())).empty());
  CHECK(refusal(check_capability(mount_capability("ntfs"))).contains("\"ntfs\""));
}

TEST_CASE("mount flags are checked before the volume is created [C-CAP-2]", "[csi][controller]") {
  api::VolumeCapability capability = mount_capability("xfs");
  capability.mutable_mount()->add_mount_flags("noatime");
  CHECK(refusal(check_capability(capability)).empty());
  capability.mutable_mount()->add_mount_flags("data=journal");
  CHECK(refusal(check_capability(capability)).contains("data=journal"));
  capability.mutable_mount()->clear_fs_type();
  CHECK(refusal(check_capability(capability)).empty());
}

TEST_CASE("a volume is used in one way: as a block device, or with one file system [C-CAP-3]",
          "[csi][controller]") {
  CHECK(refusal(check_capabilities({})).contains("volume_capabilities is empty"));
  CHECK(refusal(check_capabilities(both(mount_capability("xfs"), mount_capability()))).empty());
  CHECK(refusal(check_capabilities(both(block_capability(), block_capability()))).empty());
  CHECK(refusal(check_capabilities(both(mount_capability(), block_capability())))
            .contains("both block and mount"));
  CHECK(refusal(check_capabilities(both(mount_capability("xfs"), mount_capability("ext4"))))
            .contains("xfs and ext4"));
  api::VolumeCapability neither;
  neither.mutable_access_mode()->set_mode(Mode::SINGLE_NODE_WRITER);
  CHECK(refusal(check_capability(neither)).contains("neither block nor mount"));
}
