#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "lvmd/config/config.hpp"

using lvmd::config::Config;

TEST_CASE("the read-only socket is in the folder of the full socket", "[config]") {
  const auto [path, read_only] = GENERATE(table<std::string, std::string>({
      {"/run/topolvm/lvmd.sock", "/run/topolvm/lvmd-ro.sock"},
      {"/lvmd.sock", "/lvmd-ro.sock"},
      {"/run/lvmd", "/run/lvmd-ro"},
      {"/run/a.b/lvmd", "/run/a.b/lvmd-ro"},
      {"/run/lvmd.v2.sock", "/run/lvmd.v2-ro.sock"},
      {"/run/.lvmd", "/run/.lvmd-ro"},
  }));
  CHECK(Config{.socket_path = path}.read_only_socket_path() == read_only);
}

TEST_CASE("each volume group is listed once, in the order of the classes", "[config]") {
  Config config;
  CHECK(config.volume_groups().empty());
  config.catalog.device_classes = {
      {.name = "a", .volume_group = "vg2"},
      {.name = "b", .volume_group = "vg1"},
      {.name = "c", .volume_group = "vg2"},
  };
  CHECK(config.volume_groups() == std::vector<std::string>{"vg2", "vg1"});
}
