#include "reconciler/directory/record.hpp"
#include "tests/unit/reconciler/directory/directory_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("a manifest becomes an object with a record of its own [R-REC-1, R-REC-3]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.put("data");
  CHECK(world.poll() == std::vector<Key>{{.name = "data"}});
  CHECK(world.get("data").uid.empty());
  CHECK_FALSE(world.get("data").has_finalizer);
  CHECK_FALSE(world.has_state("topolvm.io_data.record.yaml"));

  const auto has_metadata = world.store().add_finalizer(world.get("data"));
  REQUIRE(has_metadata.has_value());
  CHECK(has_metadata->has_finalizer);
  CHECK(world.state_text("topolvm.io_data.record.yaml").contains(has_metadata->uid));
  CHECK(world.state_text("topolvm.io_data.record.yaml").contains("created: false"));

  REQUIRE(world.store().write_status(*has_metadata, {.volume_id = has_metadata->uid}));
  CHECK(world.state_text("topolvm.io_data.record.yaml").contains("created: true"));
  CHECK(world.state_text("data.status.yaml").contains("volumeID: " + has_metadata->uid));
  CHECK(world.poll().empty());
}

TEST_CASE("record and status survive a restart [R-REC-1]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const LogicalVolume made = world.make("data");
  world.restart();
  CHECK(world.get("data") == made);
}

TEST_CASE("a lost status does not lead to a second volume [R-RUN-4]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  std::filesystem::remove(world.state() / "data.status.yaml");
  world.restart();
  CHECK(world.get("data").created);
  CHECK(world.get("data").status.volume_id.empty());
}

TEST_CASE("files may be renamed and joined [R-DIR-2]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const LogicalVolume a = world.make("a");
  const LogicalVolume b = world.make("b");
  world.remove("a");
  world.remove("b");
  world.write("both.yml", DirectoryWorld::document("a") + "---\n" + DirectoryWorld::document("b"));
  CHECK(world.poll().empty());
  CHECK(world.get("a") == a);
  CHECK(world.get("b") == b);
}

TEST_CASE("hidden files, other endings and sub-folders are not read [R-DIR-1]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.write(".hidden.yaml", DirectoryWorld::document("a"));
  world.write("b.yaml.bak", DirectoryWorld::document("b"));
  std::filesystem::create_directory(world.folder() / "sub.yaml");
  CHECK(world.poll().empty());
}

TEST_CASE("objects of other nodes are not touched [R-NODE-1]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.put("data");
  world.write("other.yaml", DirectoryWorld::document("other") + "  nodeName: n2\n");
  world.write("mine.yaml", DirectoryWorld::document("mine") + "  nodeName: n1\n");
  world.poll();
  CHECK(world.offers("data"));
  CHECK(world.offers("mine"));
  CHECK_FALSE(world.offers("other"));
}

TEST_CASE("a volume whose manifest moves to another node stays [R-DEL-5]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.write("data.yaml", DirectoryWorld::document("data") + "  nodeName: n2\n");
  world.pass_time(std::chrono::hours{1});
  world.pass_time(std::chrono::hours{1});
  CHECK_FALSE(world.offers("data"));
  CHECK(world.has_state("topolvm.io_data.record.yaml"));
}

TEST_CASE(
    "two documents of one object are reported with both files, and nothing is changed [R-DOC-5]",
    "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  const std::string absent = "  annotations: {lvmd.io/state: absent}\n";
  world.write("x.yaml", DirectoryWorld::document("data", absent));
  world.poll();
  const LogicalVolume object = world.get("data");
  REQUIRE(object.defect);
  CHECK(object.defect->message.contains("data.yaml"));
  CHECK(object.defect->message.contains("x.yaml"));
  CHECK_FALSE(object.removal_wanted);
}

TEST_CASE("the class is fixed with the record [R-DOC-7]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.write("data.yaml",
              "apiVersion: topolvm.io/v1\nkind: LogicalVolume\nmetadata: {name: data}\n"
              "spec: {size: 1Gi, deviceClass: hdd}\n");
  world.poll();
  REQUIRE(world.get("data").defect);
  CHECK(world.get("data").defect->code == Code::kFailedPrecondition);
  CHECK(world.get("data").defect->message.contains("hdd"));
  CHECK(world.get("data").defect->message.contains("ssd"));
  CHECK(world.get("data").spec.device_class == "ssd");
}

TEST_CASE("the default class is fixed by its name [R-DOC-7, R-CREATE-8]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.write("data.yaml",
              "apiVersion: topolvm.io/v1\nkind: LogicalVolume\nmetadata: {name: data}\n"
              "spec: {size: 1Gi}\n");
  world.poll();
  CHECK_FALSE(world.get("data").defect);
  CHECK(world.get("data").spec.device_class == "ssd");
}

TEST_CASE("an owner is a state directory's, and a node's [R-REC-7]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const std::string owner = world.store().owner();
  CHECK(owner.starts_with("directory/"));
  CHECK(owner.size() > 40);
  world.restart();
  CHECK(world.store().owner() == owner);
  world.make("data");
  CHECK(world.store().all_volume_names() == std::set{world.get("data").uid});
  SECTION("another node") {
    std::ofstream{world.state() / "_owner.record.yaml"} << "id: " << owner.substr(10)
                                                        << "\nnode: another\n";
    world.restart();
    CHECK(world.store().owner() != owner);
  }
  SECTION("a file that can't be read") {
    std::ofstream{world.state() / "_owner.record.yaml"} << "id: nonsense\n";
    world.restart();
    CHECK(world.store().owner() != owner);
  }
  SECTION("a record that can't be read hides a volume") {
    std::ofstream{world.state() / "topolvm.io_other.record.yaml"} << "nonsense";
    CHECK_FALSE(world.store().all_volume_names().has_value());
  }
}

TEST_CASE("with an unusable record, nothing is changed [R-REC-5]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  const auto path = world.state() / "topolvm.io_data.record.yaml";
  std::ofstream{path} << "group: topolvm.io\n";
  world.restart();
  const LogicalVolume object = world.get("data");
  REQUIRE(object.defect);
  CHECK(object.defect->code == Code::kInternal);
  CHECK(object.defect->message.contains(path.string()));
  CHECK(world.state_text("topolvm.io_data.record.yaml") == "group: topolvm.io\n");
}

TEST_CASE("one state directory, one reconciler [R-REC-6]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const auto second = world.open();
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().message.contains("in use by another"));
}

TEST_CASE("the state directory can't be the folder [R-DIR-9]", "[reconciler][directory]") {
  DirectoryWorld world;
  std::filesystem::create_symlink(world.folder(), world.state());
  const auto opened = world.open();
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().message.contains("same directory"));
}

TEST_CASE("the first start needs the folder [R-DIR-4]", "[reconciler][directory]") {
  DirectoryWorld world;
  std::filesystem::remove(world.folder());
  const auto opened = world.open();
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().message.contains(world.folder().string()));
  CHECK_FALSE(world.has_state("_folder.record.yaml"));
}

TEST_CASE("the first start marks and records the folder [R-DIR-4]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  CHECK(std::filesystem::exists(world.folder() / ".lvmd-reconciler"));
  CHECK(world.has_state("_folder.record.yaml"));
  CHECK(world.state_text("_folder.status.yaml").contains("trusted: true"));
}

TEST_CASE("the folder is trusted whatever its device is called after a reboot [R-DIR-5, R-DIR-7]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.make("other");
  const auto record = directory::parse_folder_record(world.state_text("_folder.record.yaml"));
  REQUIRE(record.has_value());
  if (record->born == 0) return;  // that file system doesn't say when a folder was made
  world.write_state(
      "_folder.record.yaml",
      directory::format_folder_record(
          {.device = record->device + 1, .inode = record->inode + 1, .born = record->born}));
  world.restart();
  CHECK(world.state_text("_folder.status.yaml").contains("trusted: true"));
  world.remove("data");
  world.poll();
  world.pass_time(std::chrono::seconds{60});
  CHECK(world.removes("data"));
}

TEST_CASE(
    "a record of an earlier version is trusted and completed with the time of creation [R-DIR-4, "
    "R-DIR-7]",
    "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const std::string text = world.state_text("_folder.record.yaml");
  const auto record = directory::parse_folder_record(text);
  REQUIRE(record.has_value());
  const auto without_birth = [&](std::uint64_t inode) {
    world.write_state("_folder.record.yaml",
                      directory::format_folder_record({.device = record->device, .inode = inode}));
    world.restart();
  };
  without_birth(record->inode + 1);
  CHECK(world.state_text("_folder.status.yaml").contains("another directory"));
  CHECK_FALSE(world.state_text("_folder.record.yaml").contains("born"));
  without_birth(record->inode);
  CHECK(world.state_text("_folder.status.yaml").contains("trusted: true"));
  CHECK(world.state_text("_folder.record.yaml") == text);
}

TEST_CASE("an unreadable file is reported, the others are used [R-DOC-2, R-STAT-4]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.write("broken.yaml", DirectoryWorld::document("lost") + "---\n: [\n");
  world.put("data");
  world.poll();
  CHECK(world.offers("data"));
  CHECK_FALSE(world.offers("lost"));
  CHECK(world.state_text("_folder.status.yaml").contains("name: broken.yaml"));
  world.write("broken.yaml", DirectoryWorld::document("lost"));
  world.poll();
  CHECK(world.offers("lost"));
  CHECK(world.state_text("_folder.status.yaml").contains("files: []"));
}

TEST_CASE("a file that is too large is unreadable [R-DOC-2]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.write("large.yaml", std::string((1U << 20U) + 1, '#'));
  world.poll();
  CHECK(world.state_text("_folder.status.yaml").contains("large.yaml"));
}

TEST_CASE("a status without document and record is removed", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.put("data");
  world.poll();
  REQUIRE(world.store().write_status(world.get("data"), {.code = 3, .message = "bad"}));
  REQUIRE(world.has_state("data.status.yaml"));
  world.remove("data");
  world.poll();
  CHECK_FALSE(world.has_state("data.status.yaml"));
}

TEST_CASE("the source of a snapshot is an object of this host with a document [R-SRC-6]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.put("first");
  world.restart();
  const LogicalVolume made = world.make("origin");
  world.write("elsewhere.yaml",
              "apiVersion: topolvm.io/v1\nkind: LogicalVolume\nmetadata: {name: elsewhere}\n"
              "spec: {size: 1Gi, nodeName: n2}\n");
  world.poll();
  const auto found = world.store().reread({.name = "origin"});
  REQUIRE(found.has_value());
  CHECK(found->status.volume_id == made.uid);
  CHECK(world.store().reread({.name = "elsewhere"}).error().code == Code::kNotFound);
  CHECK(world.store().reread({.name = "nowhere"}).error().code == Code::kNotFound);
}

TEST_CASE("the class that was found for a volume group is recorded and stays [R-OBJ-17]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.put("first");
  world.restart();
  world.write("older.yaml",
              "apiVersion: topolvm.cybozu.com/v1\nkind: LogicalVolume\nmetadata: {name: older}\n"
              "spec: {size: 1Gi, vgName: vg0}\n");
  world.poll();
  const Key key{.group = Group::kLegacy, .name = "older"};
  auto object = world.store().get(key);
  REQUIRE(object.has_value());
  CHECK(object->spec.vg_name == "vg0");
  CHECK(object->spec.device_class.empty());
  object->spec.device_class = "ssd";
  REQUIRE(world.store().add_finalizer(*object).has_value());
  world.restart();
  object = world.store().get(key);
  REQUIRE(object.has_value());
  CHECK_FALSE(object->defect);
  CHECK(object->spec.device_class == "ssd");
}

TEST_CASE("the record of an abandoned volume is removed, and the status reports it [R-DELETE-5]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.put("first");
  world.restart();
  world.make("data");
  world.put("data", "  annotations: {lvmd.io/state: absent, lvmd.io/abandon: \"true\"}\n");
  world.poll();
  REQUIRE(world.removes("data"));
  REQUIRE(world.store().remove_finalizer(world.get("data")).has_value());
  CHECK_FALSE(world.has_state("topolvm.io_data.record.yaml"));
  CHECK(world.state_text("data.status.yaml").contains("released without its volume"));
}
