#include <catch2/catch.hpp>

#include "lvmd/volumes/worker/intent.hpp"
#include "sample_group.hpp"

using lvmd::Code;
using lvmd::volumes::worker::Intent;
using lvmd::volumes::worker::intent_from_text;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;

namespace {

Intent snapshot() {
  return {.kind = Intent::Kind::kSnapshot,
          .volume = "snap-1",
          .vg_id = "group",
          .seqno = 42,
          .lv_id = "",
          .ownership = {.device_class = "thin",
                        .size = {8 * kExtent},
                        .option_class = {},
                        .source = "origin",
                        .access_type = "ro"}};
}

}  // namespace

TEST_CASE("an intent that is written and read is unchanged [P-INTENT-1]", "[worker]") {
  CHECK(intent_from_text(to_text(snapshot())) == snapshot());
  const Intent removal{.kind = Intent::Kind::kRemove,
                       .volume = "gone",
                       .vg_id = "group",
                       .seqno = 1,
                       .lv_id = "id",
                       .ownership = {}};
  CHECK(intent_from_text(to_text(removal)) == removal);
}

TEST_CASE("a truncated record is refused, wherever it was cut [P-INTENT-1]", "[worker]") {
  const std::string whole = to_text(snapshot());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const auto read = intent_from_text(whole.substr(0, size));
    REQUIRE_FALSE(read);
    CHECK(read.error().code == Code::kInternal);
  }
  CHECK_FALSE(intent_from_text(whole + "more\n"));
}

TEST_CASE("a record of a newer lvmd differs from a damaged one [P-INTENT-2]", "[worker]") {
  const std::string whole = to_text(snapshot());
  const std::string body = whole.substr(whole.find('\n'));
  const std::string merge = "lvmd.intent.v1\nkind=merge" + body.substr(body.find('\n', 1));
  for (const std::string& text :
       {"lvmd.intent.v2" + body, std::string{"lvmd.intent.v17\n{\"in\": \"other words\"}"},
        merge}) {
    CAPTURE(text);
    const auto read = intent_from_text(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == Code::kFailedPrecondition);
    CHECK_THAT(read.error().message, Catch::Contains("newer lvmd"));
  }
  // Truncated, or without a valid version.
  for (const std::string& text : {std::string{"lvmd.intent.v2"}, "lvmd.intent.vx" + body,
                                  "lvmd.intent.v0" + body, merge.substr(0, merge.size() - 4)}) {
    CAPTURE(text);
    const auto read = intent_from_text(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == Code::kInternal);
  }
}

TEST_CASE("new volumes are hidden while their intent is open, others are not [P-INTENT-1]",
          "[worker]") {
  using Kind = Intent::Kind;
  for (const auto& [kind, hides] :
       {std::pair{Kind::kCreate, true}, std::pair{Kind::kSnapshot, true},
        std::pair{Kind::kUndo, true}, std::pair{Kind::kResize, false},
        std::pair{Kind::kRemove, false}}) {
    Intent intent = snapshot();
    intent.kind = kind;
    CHECK(intent.hides_volume() == hides);
  }
}

TEST_CASE("a new volume is identified by its tags, an existing one by its ID [P-INTENT-1]",
          "[worker]") {
  model::LogicalVolume lv;
  lv.name = "snap-1";
  lv.id = "id-1";
  lv.tags = model::to_tags(snapshot().ownership);
  CHECK(snapshot().is_about(lv));
  lv.tags.pop_back();
  CHECK_FALSE(snapshot().is_about(lv));

  const Intent resize{.kind = Intent::Kind::kResize, .volume = "snap-1", .lv_id = "id-1"};
  CHECK(resize.is_about(lv));
  lv.id = "id-2";
  CHECK_FALSE(resize.is_about(lv));
}

TEST_CASE("an intent that is more than 100 changes old is not recent [P-INTENT-1]", "[worker]") {
  model::VolumeGroup group;
  const Intent intent = snapshot();
  for (const auto& [seqno, is_recent] :
       {std::pair{41, false}, std::pair{42, true}, std::pair{44, true}, std::pair{1042, false}}) {
    group.seqno = static_cast<std::uint64_t>(seqno);
    CAPTURE(seqno);
    CHECK(intent.is_recent(group) == is_recent);
  }
}
