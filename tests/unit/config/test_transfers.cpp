#include <fmt/format.h>

#include <string>

#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;

namespace {

// `text` below the key `transfers`, from line 5 on.
std::string with(const std::string& text) { return std::string{kOneClass} + "transfers:\n" + text; }

}  // namespace

TEST_CASE("without the key, transfers have the documented settings [P-CFG-51, P-CFG-52, P-CFG-53]",
          "[config]") {
  const TransferSettings transfers = config_of(kOneClass).transfers;
  CHECK(transfers.restic == "/usr/bin/restic");
  CHECK(transfers.local_roots == std::vector<std::string>{"/var/lib/lvmd/repositories"});
  CHECK(transfers.memory_mib == 1024);
  CHECK(transfers.cpu_percent == 100);
  CHECK(transfers.io_weight == 50);
  CHECK(transfers.max_running == 2);
  CHECK(config_of(with("  max-running: 3\n")).transfers.restic == "/usr/bin/restic");
}

TEST_CASE("every key of transfers is accepted [P-CFG-51, P-CFG-52, P-CFG-53]", "[config]") {
  const TransferSettings transfers = config_of(with("  restic: /opt/restic\n"
                                                    "  local-roots: [/srv/backups, /mnt/b]\n"
                                                    "  memory-mib: 128\n"
                                                    "  cpu-percent: 250\n"
                                                    "  io-weight: 1000\n"
                                                    "  max-running: 64\n"))
                                         .transfers;
  CHECK(transfers.restic == "/opt/restic");
  CHECK(transfers.local_roots == std::vector<std::string>{"/srv/backups", "/mnt/b"});
  CHECK(transfers.memory_mib == 128);
  CHECK(transfers.cpu_percent == 250);
  CHECK(transfers.io_weight == 1000);
  CHECK(transfers.max_running == 64);
}

TEST_CASE("restic is the absolute path of a program [P-CFG-51]", "[config]") {
  const std::string path = GENERATE(as<std::string>{}, "restic", "''", "/usr/bin/");
  CAPTURE(path);
  CHECK(error_of(with("  restic: " + path + "\n")).find("lvmd.yaml:5: transfers.restic: \"") == 0);
  CHECK(error_of(with("  restic: " + path + "\n")).find("must be an absolute path of a file") !=
        std::string::npos);
}

TEST_CASE("folders for local repositories follow the rules for roots [P-CFG-52]", "[config]") {
  const std::string list = GENERATE(as<std::string>{}, "[/]", "[srv]", "[/srv/../etc]", "[/srv/]",
                                    "[/srv, /srv/backups]", "[/srv, /srv]");
  CAPTURE(list);
  CHECK(
      error_of(with("  local-roots: " + list + "\n")).find("lvmd.yaml:5: transfers.local-roots[") ==
      0);
}

TEST_CASE("limits out of range are errors that name key and bound [P-CFG-53]", "[config]") {
  struct Wrong {
    std::string line;
    std::string error;
  };
  const auto wrong = GENERATE(values<Wrong>({
      {"memory-mib: 127", "memory-mib: 127 is too small: the minimum is 128"},
      {"memory-mib: 1048577", "memory-mib: 1048577 is too large: the maximum is 1048576"},
      {"cpu-percent: 0", "cpu-percent: 0 is too small: the minimum is 1"},
      {"cpu-percent: 100001", "cpu-percent: 100001 is too large: the maximum is 100000"},
      {"io-weight: 0", "io-weight: 0 is too small: the minimum is 1"},
      {"io-weight: 1001", "io-weight: 1001 is too large: the maximum is 1000"},
      {"max-running: 0", "max-running: 0 is too small: the minimum is 1"},
      {"max-running: 65", "max-running: 65 is too large: the maximum is 64"},
  }));
  CHECK(error_of(with("  " + wrong.line + "\n")) == "lvmd.yaml:5: transfers." + wrong.error);
}

TEST_CASE("an unknown key of transfers is a warning [P-CFG-3]", "[config]") {
  CHECK(warnings_of(with("  max-runing: 3\n")) ==
        std::vector<std::string>{
            "lvmd.yaml:5: transfers.max-runing: unknown key; did you mean \"max-running\"?"});
}
