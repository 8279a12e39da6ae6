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

TEST_CASE("mounts are below /run/lvmd/mounts unless the file says where [P-CFG-50]", "[config]") {
  const std::vector<std::string> standard{"/run/lvmd/mounts"};
  CHECK(config_of(kOneClass).mount_roots == standard);
  CHECK(config_of(with_roots("~")).mount_roots == standard);
  CHECK(config_of(with_roots("[]")).mount_roots == standard);
  CHECK(config_of(with_roots("[/srv/volumes, /mnt/a b]")).mount_roots ==
        std::vector<std::string>{"/srv/volumes", "/mnt/a b"});
  // One name begins with the other, and it lies beside it.
  CHECK(config_of(with_roots("[/srv/a, /srv/ab]")).mount_roots.size() == 2);
}

TEST_CASE("a mount root is a plain absolute path, not /, and in no other [P-CFG-50]", "[config]") {
  const std::string plain = "must be an absolute path without empty, \".\" and \"..\" parts";
  const auto [list, place, reason] = GENERATE_COPY(table<std::string, std::string, std::string>({
      {"[/]", "[0]", "\"/\" must not be the whole host"},
      {"[srv]", "[0]", "\"srv\" " + plain},
      {"['']", "[0]", "\"\" " + plain},
      {"[/srv/]", "[0]", "\"/srv/\" " + plain},
      {"[/srv//a]", "[0]", "\"/srv//a\" " + plain},
      {"[/srv/./a]", "[0]", "\"/srv/./a\" " + plain},
      {"[/srv/../a]", "[0]", "\"/srv/../a\" " + plain},
      {"[\"/srv/a\\0b\"]", "[0]", std::string{"\"/srv/a\0b\" ", 11} + plain},
      {"[/srv, /srv/a]", "[1]", "\"/srv/a\" and \"/srv\" lie in each other"},
      {"[/srv/a, /srv]", "[1]", "\"/srv\" and \"/srv/a\" lie in each other"},
      {"[/srv, /srv]", "[1]", "\"/srv\" and \"/srv\" lie in each other"},
      {"/srv", "", "expected a list, found the text \"/srv\""},
  }));
  CHECK(error_of(with_roots(list)) == "lvmd.yaml:4: mount-roots" + place + ": " + reason);
}
