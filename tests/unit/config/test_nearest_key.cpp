#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/config/nearest_key.hpp"

using lvmd::config::nearest_key;

TEST_CASE("a misspelt key gets the nearest key as suggestion", "[config]") {
  const std::vector<std::string> keys{"name", "spare-gb", "stripe", "stripe-size", "volume-group"};
  const auto [word, nearest] = GENERATE(table<std::string, std::string>({
      {"name", "name"},
      {"nmae", "name"},
      {"nam", "name"},
      {"spare_gb", "spare-gb"},
      {"sparegb", "spare-gb"},
      {"stripes", "stripe"},
      {"stripe-sizes", "stripe-size"},
      {"volumegroup", "volume-group"},
      {"volume-groups", "volume-group"},
  }));
  CHECK(nearest_key(word, keys) == nearest);
}

TEST_CASE("a key that resembles none gets no suggestion", "[config]") {
  const std::vector<std::string> keys{"name", "spare-gb"};
  for (const char* const word : {"", "x", "encryption", "gb-spare"})
    CHECK(nearest_key(word, keys) == std::nullopt);
  CHECK(nearest_key("name", {}) == std::nullopt);
}
