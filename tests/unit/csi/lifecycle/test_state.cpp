#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "csi/lifecycle/state.hpp"

namespace lvmd::lifecycle::test {

TEST_CASE("the states have the names of the CRD", "[csi][lifecycle]") {
  std::vector<std::string_view> names;
  std::ranges::transform(kStates, std::back_inserter(names), name_of);
  CHECK(names == std::vector<std::string_view>{"Creating", "Created", "VolumeReady", "Published",
                                               "Resizing", "Resized", "Removing", "Removed",
                                               "Failed"});
}

TEST_CASE("a state is read back from its name", "[csi][lifecycle]") {
  for (const State state : kStates) CHECK(parse_state(name_of(state)) == state);
}

TEST_CASE("another text is no state", "[csi][lifecycle]") {
  for (const std::string text : {"", " ", "created", "CREATED", " Created", "Created ", "Create",
                                 "Volume Ready", "Unknown", "Published,Created"})
    CHECK_FALSE(parse_state(text));
  CHECK_FALSE(parse_state(std::string_view{"Created\0", 8}));
}

}  // namespace lvmd::lifecycle::test
