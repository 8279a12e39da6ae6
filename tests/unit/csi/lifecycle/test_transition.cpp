#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "csi/lifecycle/transition.hpp"
#include "tests/unit/csi/lifecycle/all_values.hpp"

namespace lvmd::lifecycle::test {
namespace {

struct Row {
  int number;
  std::vector<std::string_view> from;
  std::string_view to;
};

// The rows of the diagram, as people read them.
const std::vector<Row> kRows{
    {1, {"begin"}, "Creating"},
    {2, {"Creating"}, "Created"},
    {3, {"Creating"}, "Failed"},
    {4, {"Created"}, "VolumeReady"},
    {5, {"VolumeReady"}, "Created"},
    {6, {"VolumeReady", "Resized"}, "Published"},
    {7, {"VolumeReady"}, "Failed"},
    {8, {"Published", "Resized"}, "VolumeReady"},
    {9, {"Created"}, "Removing"},
    {10, {"Removing"}, "Removed"},
    {11, {"Removing"}, "Failed"},
    {12, {"Removed"}, "end"},
    {13, {"Created", "VolumeReady", "Published"}, "Resizing"},
    {14, {"Resizing"}, "Resized"},
    {15, {"Resizing"}, "Failed"},
    {16, {"Published"}, "Failed"},
    {17, {"Resized"}, "Failed"},
};

// In the order of their rows.
constexpr std::array kEvents{Event::kRequested,
                             Event::kCreated,
                             Event::kCreationFailed,
                             Event::kStaged,
                             Event::kUnstaged,
                             Event::kPublished,
                             Event::kPublishFailed,
                             Event::kUnpublished,
                             Event::kRemovalAccepted,
                             Event::kRemoved,
                             Event::kRemovalFailed,
                             Event::kObjectGone,
                             Event::kExpansionRequested,
                             Event::kExpanded,
                             Event::kExpansionFailed,
                             Event::kUnpublishFailed,
                             Event::kFailedAfterExpansion};

std::string_view name_or(std::optional<State> state, std::string_view absent) {
  return state ? name_of(*state) : absent;
}

// Empty: the rows have no such edge.
std::string_view expected(std::string_view from, int number) {
  for (const Row& row : kRows)
    if (row.number == number && std::ranges::count(row.from, from) > 0) return row.to;
  return {};
}

}  // namespace

TEST_CASE("every state and event have the edge of the diagram, or none", "[csi][lifecycle]") {
  std::size_t pairs = 0;
  std::size_t found = 0;
  for (const std::optional<State> from : begin_and_states())
    for (const Event event : kEvents) {
      const Edge* edge = transition(from, event);
      const std::string_view start = name_or(from, "begin");
      INFO("from " << start << ", row " << std::to_underlying(event));
      CHECK((edge ? name_or(edge->to, "end") : "") == expected(start, std::to_underlying(event)));
      if (edge) CHECK((edge->from == from && edge->event == event));
      ++pairs;
      found += edge ? 1 : 0;
    }
  CHECK(pairs == 170);
  CHECK(found == 21);
}

TEST_CASE("the table has no edge but those of the diagram", "[csi][lifecycle]") {
  CHECK(kEdges.size() == 21);
  for (const Edge& edge : kEdges) CHECK(std::ranges::count(begin_and_states(), edge.from) == 1);
}

TEST_CASE("events are numbered as the rows of the diagram", "[csi][lifecycle]") {
  for (std::size_t index = 0; index < kEvents.size(); ++index)
    CHECK(std::to_underlying(kEvents.at(index)) == index + 1);
  CHECK(std::ranges::is_sorted(kEdges, {}, &Edge::event));
}

TEST_CASE("two states have one edge at most", "[csi][lifecycle]") {
  for (const Edge& edge : kEdges) {
    INFO("row " << std::to_underlying(edge.event));
    CHECK(std::ranges::count_if(kEdges, [&](const Edge& other) {
            return other.from == edge.from && other.to == edge.to;
          }) == 1);
  }
}

TEST_CASE("every state is reached, and is left for another one or the end, but Failed",
          "[csi][lifecycle]") {
  for (const State state : kStates) {
    INFO(name_of(state));
    CHECK(std::ranges::count(kEdges, std::optional{state}, &Edge::to) > 0);
    CHECK((std::ranges::count(kEdges, std::optional{state}, &Edge::from) > 0) ==
          (state != State::kFailed));
  }
}

}  // namespace lvmd::lifecycle::test
