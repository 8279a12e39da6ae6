#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;

namespace {

std::string with_roots(const std::string& list) {
  return std::string{kOneClass} + "mount-roots: " + list + "\n";
}

}  // namespace

TEST_CASE("the default mount root is /run/lvmd/mounts [P-CFG-50]", "[config]") {
  const std::vector<std::string> standard{"/run/lvmd/mounts"};
  CHECK(config_of(kOneClass).mount_roots == standard);
  CHECK(config_of(with_roots("~")).mount_roots == standard);
  CHECK(config_of(with_roots("[]")).mount_roots == standard);
  CHECK(config_of(with_roots("[/srv/volumes, /mnt/a b]")).mount_roots ==
        std::vector<std::string>{"/srv/volumes", "/mnt/a b"});
  // One name is a prefix of the other, but the folders are siblings.
  CHECK(config_of(with_roots("[/srv/a, /srv/ab]")).mount_roots.size() == 2);
}

TEST_CASE("a mount root is a plain absolute path, not /, and not nested [P-CFG-50]", "[config]") {
  const std::string plain = "must be an absolute path without empty, \".\" and \"..\" parts";
  const auto [list, place, reason] = GENERATE_COPY(table<std::string, std::string, std::string>({
      {"[/]", "[0]", "\"/\" is the root of the host: use a folder below it"},
      {"[srv]", "[0]", "\"srv\" " + plain},
      {"['']", "[0]", "\"\" " + plain},
      {"[/srv/]", "[0]", "\"/srv/\" " + plain},
      {"[/srv//a]", "[0]", "\"/srv//a\" " + plain},
      {"[/srv/./a]", "[0]", "\"/srv/./a\" " + plain},
      {"[/srv/../a]", "[0]", "\"/srv/../a\" " + plain},
      {"[\"/srv/a\\0b\"]", "[0]", std::string{"\"/srv/a\0b\" ", 11} + plain},
      {"[/srv, /srv/a]", "[1]", "\"/srv/a\" and \"/srv\" overlap"},
      {"[/srv/a, /srv]", "[1]", "\"/srv\" and \"/srv/a\" overlap"},
      {"[/srv, /srv]", "[1]", "\"/srv\" and \"/srv\" overlap"},
      {"/srv", "", "expected a list, found the text \"/srv\""},
  }));
  CHECK(error_of(with_roots(list)) == "lvmd.yaml:4: mount-roots" + place + ": " + reason);
}
