#include "tests/unit/reconciler/directory/directory_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const std::string kAbsent = "  annotations: {lvmd.io/state: absent}\n";

}  // namespace

TEST_CASE("a missing manifest removes its volume after the time [R-DEL-2, R-STAT-5]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const LogicalVolume made = world.make("data");
  world.remove("data");
  world.poll();
  CHECK_FALSE(world.offers("data"));
  CHECK(world.state_text("data.status.yaml").contains("within 60 s"));
  CHECK(world.state_text("data.status.yaml").contains("code: 0"));
  world.pass_time(milliseconds{59'999});
  CHECK_FALSE(world.removes("data"));
  world.pass_time(milliseconds{1});
  CHECK(world.removes("data"));
  CHECK(world.get("data").uid == made.uid);
  CHECK(world.get("data").spec.device_class == "ssd");
}

TEST_CASE("the store reports when it has to be polled again", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  CHECK(world.store().next_due() == directory::DirectoryStore::Time::max());
  world.make("data");
  world.remove("data");
  world.poll();
  CHECK(world.store().next_due() ==
        directory::DirectoryStore::Time{std::chrono::hours{1} + seconds{60}});
  world.pass_time(seconds{60});
  CHECK(world.store().next_due() == directory::DirectoryStore::Time::max());
}

TEST_CASE("the time restarts when the manifest was restored [R-DEL-3]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const LogicalVolume made = world.make("data");
  world.remove("data");
  world.pass_time(seconds{59});
  world.put("data");
  world.poll();
  CHECK(world.get("data").uid == made.uid);
  CHECK_FALSE(world.removes("data"));
  world.remove("data");
  world.poll();
  world.pass_time(seconds{59});
  CHECK_FALSE(world.removes("data"));
}

TEST_CASE("the time restarts with the reconciler [R-DEL-3]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.remove("data");
  world.pass_time(seconds{1});
  world.restart();
  world.pass_time(seconds{59});
  CHECK_FALSE(world.removes("data"));
  world.pass_time(seconds{1});
  CHECK(world.removes("data"));
}

TEST_CASE("a manifest that is restored at the last moment keeps its volume [R-DEL-4]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.remove("data");
  world.poll();
  world.pass_time(seconds{60});
  const LogicalVolume doomed = world.get("data");
  REQUIRE(doomed.removal_wanted);
  world.put("data");
  const auto begun = world.store().begin_removal(doomed);
  REQUIRE_FALSE(begun.has_value());
  CHECK(begun.error().code == Code::kAborted);
  CHECK_FALSE(world.removes("data"));
  CHECK(world.state_text("topolvm.io_data.record.yaml").contains("removing: false"));
}

TEST_CASE("a removal that has begun is finished, and the manifest then gets a new volume [R-REC-4]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const LogicalVolume made = world.make("data");
  world.remove("data");
  world.poll();
  world.pass_time(seconds{60});
  REQUIRE(world.store().begin_removal(world.get("data")).has_value());
  CHECK(world.state_text("topolvm.io_data.record.yaml").contains("removing: true"));
  world.put("data");
  world.restart();
  CHECK(world.removes("data"));
  CHECK(world.get("data").removal_begun);
  REQUIRE(world.store().remove_finalizer(world.get("data")).has_value());
  CHECK_FALSE(world.removes("data"));
  CHECK(world.get("data").uid.empty());
  CHECK_FALSE(world.get("data").created);
  const auto fresh = world.store().add_finalizer(world.get("data"));
  REQUIRE(fresh.has_value());
  CHECK(fresh->uid != made.uid);
}

TEST_CASE("record and status are removed after the volume [R-DEL-7]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.remove("data");
  world.poll();
  world.pass_time(seconds{60});
  REQUIRE(world.store().begin_removal(world.get("data")).has_value());
  REQUIRE(world.store().remove_finalizer(world.get("data")).has_value());
  CHECK_FALSE(world.offers("data"));
  CHECK_FALSE(world.has_state("topolvm.io_data.record.yaml"));
  CHECK_FALSE(world.has_state("data.status.yaml"));
}

TEST_CASE("absent removes the volume at once and is reported while it stays [R-DEL-1]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const LogicalVolume made = world.make("data");
  world.put("data", kAbsent);
  world.poll();
  REQUIRE(world.removes("data"));
  REQUIRE(world.store().begin_removal(world.get("data")).has_value());
  REQUIRE(world.store().remove_finalizer(world.get("data")).has_value());
  CHECK(world.state_text("data.status.yaml").contains("message: removed"));
  CHECK(world.state_text("data.status.yaml").contains("volumeID: \"\""));
  CHECK_FALSE(world.get("data").has_finalizer);
  world.put("data");
  world.poll();
  CHECK_FALSE(world.removes("data"));
  CHECK(world.store().add_finalizer(world.get("data"))->uid != made.uid);
}

TEST_CASE(
    "with an unreadable file, no volume is removed for a missing manifest [R-DEL-2, R-STAT-5]",
    "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.make("other");
  world.write("data.yaml", "kind: [\n");
  world.poll();
  world.pass_time(std::chrono::hours{1});
  world.pass_time(std::chrono::hours{1});
  CHECK_FALSE(world.removes("data"));
  CHECK(world.state_text("data.status.yaml").contains("the volume stays"));
  CHECK(world.state_text("data.status.yaml").contains("data.yaml"));
  // What a good file says still counts.
  world.put("other", kAbsent);
  world.poll();
  CHECK(world.removes("other"));
  // Its time begins when the file is readable again.
  std::filesystem::remove(world.folder() / "data.yaml");
  world.poll();
  world.pass_time(seconds{59});
  CHECK_FALSE(world.removes("data"));
  world.pass_time(seconds{1});
  CHECK(world.removes("data"));
}

TEST_CASE("with a missing folder, no volume is removed [R-DIR-5]", "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  const LogicalVolume made = world.make("data");
  const auto aside = world.folder().string() + ".aside";
  std::filesystem::rename(world.folder(), aside);
  world.poll();
  world.pass_time(std::chrono::hours{1});
  CHECK_FALSE(world.offers("data"));
  CHECK(world.state_text("_folder.status.yaml").contains("trusted: false"));
  world.restart();
  world.pass_time(std::chrono::hours{1});
  CHECK_FALSE(world.removes("data"));
  std::filesystem::rename(aside, world.folder());
  world.poll();
  CHECK(world.get("data").uid == made.uid);
  CHECK(world.state_text("_folder.status.yaml").contains("trusted: true"));
}

TEST_CASE(
    "without the folder's marker, no volume is removed for a missing manifest [R-DIR-5, R-DIR-7, "
    "R-DIR-8]",
    "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.make("other");
  world.make("third");
  const auto marker = world.folder() / ".lvmd-reconciler";
  std::filesystem::remove(marker);
  world.remove("data");
  world.poll();
  world.pass_time(std::chrono::hours{1});
  CHECK_FALSE(world.removes("data"));
  CHECK(world.state_text("data.status.yaml").contains("marker"));
  world.restart();
  CHECK_FALSE(std::filesystem::exists(marker));
  world.put("other", kAbsent);
  world.poll();
  CHECK(world.removes("other"));
  CHECK(world.offers("third"));
}

TEST_CASE(
    "with another directory at the folder's path, no volume is removed for a missing manifest "
    "[R-DIR-5, R-DIR-7]",
    "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("data");
  world.make("other");
  std::filesystem::rename(world.folder(), world.folder().string() + ".aside");
  std::filesystem::create_directory(world.folder());
  world.write(".lvmd-reconciler", "");
  world.put("other");
  world.poll();
  world.pass_time(std::chrono::hours{1});
  CHECK_FALSE(world.removes("data"));
  CHECK(world.state_text("_folder.status.yaml").contains("another directory"));
  world.restart();
  world.pass_time(std::chrono::hours{1});
  CHECK_FALSE(world.removes("data"));
  // The way out: the state directory forgets the old folder.
  std::filesystem::remove(world.state() / "_folder.record.yaml");
  world.restart();
  world.pass_time(seconds{60});
  CHECK(world.removes("data"));
}

TEST_CASE("with a suddenly empty folder, no volume is removed until it has a manifest [R-DIR-6]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("a");
  world.make("b");
  world.remove("a");
  world.remove("b");
  SECTION("while running") { world.poll(); }
  SECTION("at start") { world.restart(); }
  world.pass_time(std::chrono::hours{1});
  world.pass_time(std::chrono::hours{1});
  CHECK_FALSE(world.removes("a"));
  CHECK_FALSE(world.removes("b"));
  CHECK(world.state_text("_folder.status.yaml").contains("suddenly empty"));
  world.write("empty.yaml", "");
  world.poll();
  world.pass_time(seconds{60});
  CHECK(world.removes("a"));
  CHECK(world.removes("b"));
}

TEST_CASE(
    "manifests that are removed one after the other, including the last, remove their volumes "
    "[R-DIR-6]",
    "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("a");
  world.make("b");
  world.remove("a");
  world.poll();
  world.remove("b");
  world.poll();
  world.pass_time(seconds{60});
  CHECK(world.removes("a"));
  CHECK(world.removes("b"));
}

TEST_CASE("requested removals do not make a folder suddenly empty [R-DIR-6]",
          "[reconciler][directory]") {
  DirectoryWorld world;
  world.restart();
  world.make("a");
  world.make("b");
  world.put("a", kAbsent);
  world.poll();
  world.remove("a");
  world.remove("b");
  world.poll();
  world.pass_time(seconds{60});
  CHECK(world.removes("a"));
  CHECK(world.removes("b"));
}
