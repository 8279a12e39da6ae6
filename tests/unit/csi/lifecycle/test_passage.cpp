#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "csi/lifecycle/passage.hpp"
#include "tests/unit/csi/lifecycle/all_values.hpp"

namespace lvmd::lifecycle::test {
namespace {

// A volume whose state is written after each change of its facts.
struct Life {
  Facts facts{};

  // The row of the edge; 0: the change was only observed; absent: there was none.
  std::optional<int> settle() {
    const Derived derived = derive(facts);
    const auto change = passage(facts.before, derived);
    facts.before = derived.state;
    facts.publications_before = facts.publications;
    if (!change) return std::nullopt;
    return change->event ? std::to_underlying(*change->event) : 0;
  }
};

// The state of these facts is written already.
Life life_in(const Facts& facts) {
  Life life{facts};
  static_cast<void>(life.settle());
  return life;
}

std::optional<Event> event_to_failed(std::optional<State> from, std::optional<Call> call) {
  const auto change =
      passage(from, {.state = State::kFailed, .failure = VolumeFailure{.call = call}});
  REQUIRE(change);
  CHECK(change->from == from);
  CHECK(change->to == State::kFailed);
  return change->event;
}

}  // namespace

TEST_CASE("the life of a volume takes the edges of the diagram", "[csi][lifecycle]") {
  Life life;
  CHECK(life.settle() == 1);
  life.facts.created = true;
  CHECK(life.settle() == 2);
  life.facts.staged = true;
  CHECK(life.settle() == 4);
  life.facts.publications = 1;
  CHECK(life.settle() == 6);
  life.facts.growing = true;
  CHECK(life.settle() == 13);
  life.facts.growing = false;
  CHECK(life.settle() == 14);
  CHECK(life.settle() == std::nullopt);
  life.facts.publications = 2;
  CHECK(life.settle() == 6);
  life.facts.publications = 1;
  CHECK(life.settle() == std::nullopt);
  life.facts.publications = 0;
  CHECK(life.settle() == 8);
  life.facts.staged = false;
  CHECK(life.settle() == 5);
  life.facts.removing = true;
  CHECK(life.settle() == 9);
  life.facts.removed = true;
  CHECK(life.settle() == 10);
  CHECK(transition(life.facts.before, Event::kObjectGone) != nullptr);
}

TEST_CASE("a volume grows while it is created, staged or published", "[csi][lifecycle]") {
  const std::vector<Facts> uses{{.created = true},
                                {.created = true, .staged = true},
                                {.created = true, .staged = true, .publications = 1}};
  for (const Facts& facts : uses) {
    Life life = life_in(facts);
    life.facts.growing = true;
    CHECK(life.settle() == 13);
    life.facts.growing = false;
    CHECK(life.settle() == 14);
  }
}

TEST_CASE("a failed call takes its edge, and a retry that succeeds is observed",
          "[csi][lifecycle]") {
  struct Case {
    int row;
    Call call;
    Facts facts;
  };
  const std::vector<Case> cases{
      {3, Call::kCreate, {}},
      {7, Call::kPublish, {.created = true, .staged = true}},
      {11, Call::kRemove, {.created = true, .removing = true}},
      {15, Call::kExpand, {.created = true, .growing = true}},
      {16, Call::kUnpublish, {.created = true, .staged = true, .publications = 1}},
      {17, Call::kExpand, {.before = State::kResizing, .created = true}},
  };
  for (const auto& [row, call, facts] : cases) {
    INFO("row " << row);
    Life life = life_in(facts);
    const auto before = life.facts.before;
    life.facts.failures = {{.call = call}};
    CHECK(life.settle() == row);
    CHECK(life.facts.before == State::kFailed);
    CHECK(life.settle() == std::nullopt);
    life.facts.failures.clear();
    CHECK(life.settle() == 0);
    // What was true before the failure is true again, but a resize has ended.
    CHECK(life.facts.before == (before == State::kResized ? State::kCreated : before));
  }
}

TEST_CASE("changes without an edge are observed", "[csi][lifecycle]") {
  SECTION("a reboot: nothing is mounted any more") {
    Life life = life_in({.created = true, .staged = true, .publications = 2});
    life.facts.staged = false;
    life.facts.publications = 0;
    CHECK(life.settle() == 0);
    CHECK(life.facts.before == State::kCreated);
  }
  SECTION("the driver was enabled later") {
    Life life{{.created = true, .staged = true, .publications = 1}};
    CHECK(life.settle() == 0);
    CHECK(life.facts.before == State::kPublished);
  }
  SECTION("another growth from Resized") {
    Life life = life_in({.before = State::kResizing, .created = true});
    life.facts.growing = true;
    CHECK(life.settle() == 0);
    CHECK(life.facts.before == State::kResizing);
  }
  SECTION("a failed stage") {
    Life life = life_in({.created = true});
    life.facts.failures = {{.call = Call::kStage}};
    CHECK(life.settle() == 0);
    CHECK(life.facts.before == State::kFailed);
  }
  SECTION("a pod ends while the volume grows") {
    Life life = life_in({.created = true, .growing = true, .staged = true, .publications = 1});
    life.facts.growing = false;
    life.facts.publications = 0;
    CHECK(life.settle() == 0);
    CHECK(life.facts.before == State::kVolumeReady);
  }
  SECTION("stage and publish between two writes") {
    Life life = life_in({.created = true});
    life.facts.staged = true;
    life.facts.publications = 1;
    CHECK(life.settle() == 0);
    CHECK(life.facts.before == State::kPublished);
  }
  SECTION("removal of a volume that is in use, or failed") {
    Life life = life_in({.created = true, .staged = true, .publications = 1});
    life.facts.removing = true;
    CHECK(life.settle() == 0);
    Life failed = life_in({.failures = {{.call = Call::kCreate}}});
    failed.facts.removing = true;
    CHECK(failed.settle() == 0);
    CHECK(failed.facts.before == State::kRemoving);
  }
}

TEST_CASE("a failure takes an edge only if its own call has one", "[csi][lifecycle]") {
  // The failed call decides, not the two states alone.
  CHECK(event_to_failed(State::kPublished, Call::kUnpublish) == Event::kUnpublishFailed);
  CHECK(event_to_failed(State::kPublished, Call::kPublish) == std::nullopt);
  CHECK(event_to_failed(State::kVolumeReady, Call::kPublish) == Event::kPublishFailed);
  CHECK(event_to_failed(State::kVolumeReady, Call::kUnstage) == std::nullopt);
  CHECK(event_to_failed(State::kVolumeReady, std::nullopt) == std::nullopt);
  CHECK(event_to_failed(State::kResizing, Call::kPublish) == std::nullopt);
  CHECK(event_to_failed(State::kRemoving, Call::kUnpublish) == std::nullopt);
  for (const Call call : kCalls)
    CHECK(event_to_failed(State::kResized, call) == Event::kFailedAfterExpansion);
  CHECK(event_to_failed(State::kResized, std::nullopt) == Event::kFailedAfterExpansion);
}

TEST_CASE("a state that stays is no passage", "[csi][lifecycle]") {
  for (const State state : kStates) {
    Derived derived{.state = state};
    if (state == State::kFailed) derived.failure = VolumeFailure{.call = Call::kStage};
    CHECK_FALSE(passage(state, derived));
  }
}

TEST_CASE("the event of a passage leads to its state", "[csi][lifecycle]") {
  int edges = 0;
  for (const auto from : begin_and_states())
    for (const State to : kStates) {
      if (to == State::kFailed || from == to) continue;
      const auto change = passage(from, {.state = to});
      REQUIRE(change);
      CHECK(*change == Passage{.from = from, .to = to, .event = change->event});
      if (!change->event) continue;
      const Edge* edge = transition(from, *change->event);
      REQUIRE(edge);
      CHECK(edge->to == to);
      ++edges;
    }
  // All but the six edges to Failed and the one to the end.
  CHECK(edges == 14);
}

}  // namespace lvmd::lifecycle::test
