#include <algorithm>
#include <catch2/catch.hpp>

#include "lvmd/config/config_file.hpp"
#include "lvmd/config/reload.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::config;
using lvmd::supervisor::ScratchDirectory;

namespace {

constexpr const char* kClasses = R"(device-classes:
  - {name: ssd, volume-group: vg0, default: true, spare-gb: 10}
  - {name: old, volume-group: vg1}
)";

config::Config running() {
  auto parsed = config::parse_config(kClasses, "lvmd.yaml");
  REQUIRE(parsed);
  return parsed->config;
}

bool mentions(const std::vector<std::string>& lines, const std::string& text) {
  return std::ranges::any_of(
      lines, [&](const auto& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a reload applies the classes of the file [P-RELOAD-1]", "[config]") {
  const ScratchDirectory directory;
  const std::string path = directory.write("lvmd.yaml", R"(device-classes:
  - {name: ssd, volume-group: vg0, default: true, spare-gb: 1}
  - {name: new, volume-group: vg2}
)");
  const auto reload = reload_config(path, running());
  REQUIRE(reload);
  CHECK(reload->warnings.empty());
  CHECK(reload->config.volume_groups() == std::vector<std::string>{"vg0", "vg2"});
  CHECK(describe_change(running().catalog, reload->config.catalog) ==
        "device classes: ssd changed, new new, old gone");
}

TEST_CASE(
    "an invalid file is refused with each finding, and none of its values applies [P-RELOAD-1]",
    "[config]") {
  const ScratchDirectory directory;
  const std::string path = directory.write("lvmd.yaml", R"(device-classes:
  - {name: ssd, volume-group: vg0, default: maybe}
  - {name: "", volume-group: vg1}
)");
  const auto reload = reload_config(path, running());
  REQUIRE_FALSE(reload);
  CHECK(reload.error().message.find(path + ":2: device-classes[0].default: ") == 0);
  CHECK(reload.error().message.find(path + ":3: device-classes[1].name: ") != std::string::npos);
}

TEST_CASE("a file that can't be read is refused", "[config]") {
  const ScratchDirectory directory;
  const auto reload = reload_config(directory.file("missing.yaml"), running());
  REQUIRE_FALSE(reload);
  CHECK(reload.error().message.find("missing.yaml") != std::string::npos);
}

TEST_CASE(
    "keys that need a restart keep their values, and the warnings name them [P-RELOAD-3, P-CFG-50, "
    "P-CFG-60]",
    "[config]") {
  const ScratchDirectory directory;
  const std::string path = directory.write("lvmd.yaml", std::string{kClasses} + R"(
socket-name: /run/other.sock
socket-group: others
metrics-address: 127.0.0.1:9099
mount-roots: [/mnt/volumes]
transfers: {max-running: 3}
csi: {}
)");
  const auto reload = reload_config(path, running());
  REQUIRE(reload);
  CHECK(reload->config == running());
  for (const char* const key :
       {"socket-name", "socket-group", "metrics-address", "mount-roots", "transfers", "csi"}) {
    CAPTURE(key);
    CHECK(mentions(reload->warnings, std::string{key} + " has changed and needs a restart"));
  }
  CHECK(describe_change(running().catalog, reload->config.catalog) == "no class changed");
}
