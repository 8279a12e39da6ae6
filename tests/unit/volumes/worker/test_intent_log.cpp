#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "lvmd/base/state_directory.hpp"
#include "lvmd/volumes/worker/intent_log.hpp"

using lvmd::volumes::worker::Intent;
using lvmd::volumes::worker::IntentLog;
namespace fs = std::filesystem;

namespace {

struct StateDirectory {
  StateDirectory() {
    std::string name = (fs::temp_directory_path() / "lvmd-intents-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  StateDirectory(const StateDirectory&) = delete;
  StateDirectory& operator=(const StateDirectory&) = delete;
  ~StateDirectory() { fs::remove_all(path); }

  [[nodiscard]] IntentLog log() const {
    auto opened = IntentLog::open(path, "vg0");
    REQUIRE(opened);
    return std::move(*opened);
  }

  fs::path path;
};

Intent intent(Intent::Kind kind, std::string volume) {
  return {.kind = kind,
          .volume = std::move(volume),
          .vg_id = "group",
          .seqno = 7,
          .lv_id = "",
          .ownership = {}};
}

}  // namespace

TEST_CASE("an intent is there for the successor until it has ended [P-INTENT-1]", "[worker]") {
  const StateDirectory state;
  {
    IntentLog log = state.log();
    CHECK(log.empty());
    REQUIRE(log.begin(intent(Intent::Kind::kCreate, "a")));
    REQUIRE(log.begin(intent(Intent::Kind::kResize, "b")));
  }
  IntentLog log = state.log();
  REQUIRE(log.open_intents().size() == 2);
  CHECK(log.open_intents().at("a") == intent(Intent::Kind::kCreate, "a"));
  CHECK(log.open_intents().at("b") == intent(Intent::Kind::kResize, "b"));
  CHECK(log.hidden() == std::vector<std::string>{"a"});
  REQUIRE(log.end("a"));
  REQUIRE(log.end("b"));
  CHECK(log.end("never begun"));
  CHECK(log.empty());
  CHECK(state.log().empty());
}

TEST_CASE("an undoing takes the place of what it undoes [P-INTENT-1]", "[worker]") {
  const StateDirectory state;
  IntentLog log = state.log();
  REQUIRE(log.begin(intent(Intent::Kind::kCreate, "a")));
  REQUIRE(log.begin(intent(Intent::Kind::kUndo, "a")));
  IntentLog successor = state.log();
  REQUIRE(successor.open_intents().size() == 1);
  CHECK(successor.open_intents().at("a") == intent(Intent::Kind::kUndo, "a"));
}

TEST_CASE("the names to hide can be listed without reading a record [P-INTENT-1]", "[worker]") {
  const StateDirectory state;
  IntentLog log = state.log();
  REQUIRE(log.begin(intent(Intent::Kind::kCreate, "a")));
  REQUIRE(log.begin(intent(Intent::Kind::kRemove, "b")));
  CHECK(fs::exists(lvmd::intents_of_new_volumes(state.path, "vg0") / "a"));
  CHECK_FALSE(fs::exists(lvmd::intents_of_new_volumes(state.path, "vg0") / "b"));
}

TEST_CASE("a record that can't be read hides its volume until it is deleted [P-INTENT-1]",
          "[worker]") {
  const StateDirectory state;
  static_cast<void>(state.log());
  const fs::path record = lvmd::intents_of_new_volumes(state.path, "vg0") / "a";
  std::ofstream{record} << "nonsense";
  // What was being written when the power went.
  std::ofstream{record.parent_path() / lvmd::kUnfinishedIntent} << "half";
  IntentLog log = state.log();
  REQUIRE(log.open_intents().size() == 1);
  CHECK_FALSE(log.open_intents().at("a"));
  CHECK(log.hidden() == std::vector<std::string>{"a"});
  CHECK(log.path_of("a") == record);
  fs::remove(record);
  CHECK(log.open_intents().empty());
  CHECK(log.hidden().empty());
}

TEST_CASE("a record under another name is not believed [P-INTENT-1]", "[worker]") {
  const StateDirectory state;
  REQUIRE(state.log().begin(intent(Intent::Kind::kCreate, "a")));
  const fs::path folder = lvmd::intents_of_new_volumes(state.path, "vg0");
  fs::rename(folder / "a", folder / "b");
  IntentLog log = state.log();
  REQUIRE(log.open_intents().size() == 1);
  CHECK_FALSE(log.open_intents().at("b"));
}
