#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "csi/lifecycle/derive.hpp"
#include "tests/unit/csi/lifecycle/all_values.hpp"

namespace lvmd::lifecycle::test {
namespace {

// None, a volume that is unusable, and each call that can fail.
std::vector<std::vector<VolumeFailure>> possible_failures() {
  std::vector<std::vector<VolumeFailure>> all{{}, {{.reason = "VolumeMissing"}}};
  for (const Call call : kCalls) all.push_back({{.call = call, .reason = "A", .message = "text"}});
  return all;
}

template <typename Visit>
void for_all_facts(const Visit& visit) {
  for (const auto& before : begin_and_states())
    for (const auto& failures : possible_failures())
      for (unsigned bits = 0; bits < 32; ++bits)
        for (std::uint32_t publications_before = 0; publications_before < 3; ++publications_before)
          for (std::uint32_t publications = 0; publications < 3; ++publications)
            visit(Facts{.before = before,
                        .publications_before = publications_before,
                        .created = (bits & 1U) != 0,
                        .growing = (bits & 2U) != 0,
                        .removing = (bits & 4U) != 0,
                        .removed = (bits & 8U) != 0,
                        .staged = (bits & 16U) != 0,
                        .publications = publications,
                        .failures = failures});
}

std::string describe(const Facts& facts) {
  std::string text = facts.before ? std::string{name_of(*facts.before)} : "begin";
  text += " with " + std::to_string(facts.publications_before) + " publications;";
  if (facts.created) text += " created";
  if (facts.growing) text += " growing";
  if (facts.removing) text += " removing";
  if (facts.removed) text += " removed";
  if (facts.staged) text += " staged";
  text += ", " + std::to_string(facts.publications) + " publications";
  for (const VolumeFailure& failure : facts.failures)
    text += ", failed " + (failure.call ? std::to_string(static_cast<int>(*failure.call)) : "-");
  return text;
}

// The facts that do not satisfy `holds`, the first ones only.
template <typename Holds>
std::vector<std::string> exceptions(const Holds& holds) {
  std::vector<std::string> found;
  for_all_facts([&](const Facts& facts) {
    const Derived derived = derive(facts);
    if (found.size() < 5 && !holds(facts, derived))
      found.push_back(describe(facts) + " -> " + std::string{name_of(derived.state)});
  });
  return found;
}

const std::vector<std::string> kNoExceptions{};

bool is_in_use_state(State state) {
  return state == State::kCreated || state == State::kVolumeReady || state == State::kPublished ||
         state == State::kResizing || state == State::kResized;
}

bool was_resized(const Facts& facts) {
  return facts.before == State::kResizing || facts.before == State::kResized;
}

State state_of(const Facts& facts) { return derive(facts).state; }

}  // namespace

TEST_CASE("all facts lead to one of the nine states", "[csi][lifecycle]") {
  std::size_t decided = 0;
  CHECK(exceptions([&](const Facts&, const Derived& derived) {
          ++decided;
          return std::ranges::count(kStates, derived.state) == 1;
        }) == kNoExceptions);
  CHECK(decided == std::size_t{10} * 9 * 32 * 9);
}

TEST_CASE("Removed means that the volume is gone", "[csi][lifecycle]") {
  CHECK(exceptions([](const Facts& facts, const Derived& derived) {
          return (derived.state == State::kRemoved) == facts.removed;
        }) == kNoExceptions);
}

TEST_CASE("Failed has the failure that it is about, and no other state has one",
          "[csi][lifecycle]") {
  CHECK(exceptions([](const Facts& facts, const Derived& derived) {
          if (derived.state != State::kFailed) return !derived.failure;
          return derived.failure && std::ranges::count(facts.failures, *derived.failure) == 1;
        }) == kNoExceptions);
}

TEST_CASE("a volume in use hides no failure", "[csi][lifecycle]") {
  CHECK(exceptions([](const Facts& facts, const Derived& derived) {
          return facts.failures.empty() || !is_in_use_state(derived.state);
        }) == kNoExceptions);
}

TEST_CASE("a volume that does not exist yet is Creating until its creation fails",
          "[csi][lifecycle]") {
  CHECK(exceptions([](const Facts& facts, const Derived& derived) {
          if (facts.removed || facts.removing || facts.created) return true;
          const bool failed = !facts.failures.empty() && facts.failures[0].call == Call::kCreate;
          return derived.state == (failed ? State::kFailed : State::kCreating);
        }) == kNoExceptions);
}

TEST_CASE("a removal is Removing until a call fails that it waits for", "[csi][lifecycle]") {
  CHECK(exceptions([](const Facts& facts, const Derived& derived) {
          if (facts.removed || !facts.removing) return true;
          const auto call = facts.failures.empty() ? std::nullopt : facts.failures[0].call;
          const bool failed =
              call == Call::kRemove || call == Call::kUnstage || call == Call::kUnpublish;
          return derived.state == (failed ? State::kFailed : State::kRemoving);
        }) == kNoExceptions);
}

TEST_CASE("every state says what is true", "[csi][lifecycle]") {
  CHECK(exceptions([](const Facts& facts, const Derived& derived) {
          switch (derived.state) {
            case State::kCreating:
              return !facts.created && !facts.removing;
            case State::kCreated:
              return facts.created && !facts.staged && facts.publications == 0;
            case State::kVolumeReady:
              return facts.created && facts.staged && facts.publications == 0;
            case State::kPublished:
              return facts.created && facts.publications > 0;
            case State::kResizing:
              return facts.created && facts.growing;
            case State::kResized:
              return facts.created && !facts.growing && was_resized(facts);
            case State::kRemoving:
              return facts.removing;
            case State::kRemoved:
              return facts.removed;
            case State::kFailed:
              return !facts.failures.empty();
          }
          return false;
        }) == kNoExceptions);
}

TEST_CASE("a published volume is Published or Resized, without failure, growth or removal",
          "[csi][lifecycle]") {
  CHECK(exceptions([](const Facts& facts, const Derived& derived) {
          if (facts.publications == 0 || !facts.failures.empty() || facts.growing ||
              facts.removing || facts.removed || !facts.created)
            return true;
          return derived.state == State::kPublished || derived.state == State::kResized;
        }) == kNoExceptions);
}

TEST_CASE("only a resize is remembered: no other state before matters", "[csi][lifecycle]") {
  CHECK(exceptions([](Facts facts, const Derived& derived) {
          if (was_resized(facts)) return true;
          facts.before = std::nullopt;
          facts.publications_before = 0;
          return derive(facts) == derived;
        }) == kNoExceptions);
}

TEST_CASE("writing the state does not change it", "[csi][lifecycle]") {
  CHECK(exceptions([](Facts facts, const Derived& derived) {
          facts.before = derived.state;
          facts.publications_before = facts.publications;
          return derive(facts) == derived;
        }) == kNoExceptions);
}

TEST_CASE("Resized ends with another pod or without any", "[csi][lifecycle]") {
  Facts facts{.before = State::kResized, .created = true, .staged = true};
  const auto after = [&](std::uint32_t before, std::uint32_t now) {
    facts.publications_before = before;
    facts.publications = now;
    return state_of(facts);
  };
  CHECK(after(0, 0) == State::kResized);
  CHECK(after(0, 1) == State::kPublished);
  CHECK(after(1, 1) == State::kResized);
  CHECK(after(1, 2) == State::kPublished);
  CHECK(after(2, 1) == State::kResized);
  CHECK(after(2, 0) == State::kVolumeReady);
  facts.staged = false;
  CHECK(after(1, 0) == State::kCreated);
  CHECK(after(0, 0) == State::kResized);
}

TEST_CASE("of two failures the first one that counts is shown", "[csi][lifecycle]") {
  const VolumeFailure publish{.call = Call::kPublish, .reason = "A", .message = "first"};
  const VolumeFailure remove{.call = Call::kRemove, .reason = "B", .message = "second"};
  Facts facts{.created = true, .failures = {publish, remove}};
  CHECK(derive(facts) == Derived{.state = State::kFailed, .failure = publish});
  facts.removing = true;
  CHECK(derive(facts) == Derived{.state = State::kFailed, .failure = remove});
  facts.removed = true;
  CHECK(derive(facts) == Derived{.state = State::kRemoved});
}

TEST_CASE("no order of two failures hides one that counts", "[csi][lifecycle]") {
  for (const Call first : kCalls)
    for (const Call second : kCalls)
      for (unsigned bits = 0; bits < 4; ++bits) {
        Facts facts{.created = (bits & 1U) != 0, .removing = (bits & 2U) != 0};
        const auto fails_with = [&](std::vector<VolumeFailure> failures) {
          facts.failures = std::move(failures);
          return state_of(facts) == State::kFailed;
        };
        const bool counts = fails_with({{.call = first}}) || fails_with({{.call = second}});
        CHECK(fails_with({{.call = first}, {.call = second}}) == counts);
      }
}

TEST_CASE("a pod that waits for a restore does not make the volume Failed", "[csi][lifecycle]") {
  Facts facts{.before = State::kCreating,
              .failures = {{.call = Call::kStage, .reason = "VolumeIncomplete"}}};
  CHECK(state_of(facts) == State::kCreating);
  facts.created = true;
  CHECK(state_of(facts) == State::kFailed);
}

TEST_CASE("a pod that never started does not make a removal Failed", "[csi][lifecycle]") {
  Facts facts{.before = State::kFailed,
              .created = true,
              .removing = true,
              .failures = {{.call = Call::kPublish}}};
  CHECK(state_of(facts) == State::kRemoving);
  facts.failures = {{.call = Call::kUnpublish}};
  CHECK(state_of(facts) == State::kFailed);
}

}  // namespace lvmd::lifecycle::test
