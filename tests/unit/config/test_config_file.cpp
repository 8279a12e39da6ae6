#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;
using Words = std::vector<std::string>;

namespace {

// `text` from line 4 on.
std::string with(const std::string& text) { return std::string{kOneClass} + text; }

}  // namespace

TEST_CASE("a file with only the required keys has the documented defaults", "[config]") {
  const Config config = config_of(kOneClass);
  CHECK(config.socket_path == "/run/topolvm/lvmd.sock");
  CHECK(config.read_only_socket_path() == "/run/topolvm/lvmd-ro.sock");
  CHECK(config.socket_group == "lvmd");
  CHECK_FALSE(config.strict);
  CHECK(config.lvm_command_prefix == native_command_prefix());
}

TEST_CASE("the socket's path is absolute and short enough for both sockets [P-CFG-10]",
          "[config]") {
  CHECK(config_of(with("socket-name: /run/a b/x.sock\n")).socket_path == "/run/a b/x.sock");
  const std::string longest = "/" + std::string(103, 'x');
  CHECK(config_of(with("socket-name: " + longest + "\n")).socket_path == longest);
  const auto [path, reason] = GENERATE_COPY(table<std::string, std::string>({
      {"''", "\"\" must be an absolute path of a file"},
      {"lvmd.sock", "\"lvmd.sock\" must be an absolute path of a file"},
      {"/run/", "\"/run/\" must be an absolute path of a file"},
      {longest + "x", "\"" + longest + "x\" has 105 bytes, at most 104 fit a socket's address"},
      {"\"/run/a\\0b\"", "contains a control character"},
      {"[a]", "expected text, found a list"},
  }));
  CHECK(error_of(with("socket-name: " + path + "\n")) == "lvmd.yaml:4: socket-name: " + reason);
}

TEST_CASE("the socket's group is a name [P-CFG-11]", "[config]") {
  CHECK(config_of(with("socket-group: storage\n")).socket_group == "storage");
  CHECK(config_of(with("socket-group: 1000\n")).socket_group == "1000");
  CHECK(error_of(with("socket-group: ''\n")) == "lvmd.yaml:4: socket-group: must not be empty");
}

TEST_CASE("TopoLVM's default command prefix, in any form, means native [P-CFG-29]", "[config]") {
  const std::string prefix = GENERATE(as<std::string>{}, "", "~", "[]",
                                      "[/usr/bin/nsenter, -m, -u, -i, -n, -p, -t, 1, /sbin/lvm]",
                                      "[/usr/bin/nsenter,-m,-u,-i,-n,-p,-t,'1',/sbin/lvm]");
  CHECK(config_of(with("lvm-command-prefix: " + prefix + "\n")).lvm_command_prefix ==
        native_command_prefix());
}

TEST_CASE("another command prefix is put before each lvm command [P-EXT-1]", "[config]") {
  const Config config = config_of(with("lvm-command-prefix:\n- /sbin/lvm\n"));
  CHECK(config.lvm_command_prefix == Words{"/sbin/lvm"});
  CHECK_FALSE(config.is_native());
  CHECK(error_of(with("lvm-command-prefix: ['', lvm]\n")) ==
        "lvmd.yaml:4: lvm-command-prefix: the first item is empty, it must be a program");
}

TEST_CASE("unknown keys are warnings at every level, with the nearest known key [P-CFG-3]",
          "[config]") {
  const std::string text =
      "socket: /run/x.sock\n"
      "device-classes:\n"
      "- name: ssd\n"
      "  volume-group: vg\n"
      "  spare_gb: 5\n"
      "  type: thin\n"
      "  thin-pool:\n"
      "    name: p\n"
      "    overprovision-ratio: 1\n"
      "    chunk-size: 64k\n"
      "lvcreate-option-classes:\n"
      "- name: a\n"
      "  option: [-m, 1]\n"
      "1: x\n";
  const Words findings{
      "lvmd.yaml:1: socket: unknown key; it has no effect",
      "lvmd.yaml:5: device-classes[0].spare_gb: unknown key; did you mean \"spare-gb\"?",
      "lvmd.yaml:10: device-classes[0].thin-pool.chunk-size: unknown key; it has no effect",
      "lvmd.yaml:13: lvcreate-option-classes[0].option: unknown key; did you mean \"options\"?",
      "lvmd.yaml:14: 1: unknown key; it has no effect",
  };
  CHECK(warnings_of(text) == findings);
  CHECK(error_of(text + "strict: true\n") == fmt::format("{}", fmt::join(findings, "\n")));
}

TEST_CASE("strict makes every warning an error, in any place [P-CFG-12]", "[config]") {
  CHECK(config_of(with("strict: true\n")).strict);
  CHECK(error_of("strict: yes\n" + with("socket: x\n")) ==
        "lvmd.yaml:5: socket: unknown key; it has no effect");
  CHECK(error_of(with("strict: maybe\n")) ==
        "lvmd.yaml:4: strict: expected true or false, found the text \"maybe\"");
}

TEST_CASE("all errors are reported together, in the order of the file [P-CFG-2]", "[config]") {
  CHECK(error_of("lvm-command-prefix: lvm\n"
                 "device-classes:\n"
                 "- volume-group: '-'\n"
                 "  name: a b\n"
                 "socket-name: x\n") ==
        "lvmd.yaml:1: lvm-command-prefix: expected a list, found the text \"lvm\"\n"
        "lvmd.yaml:3: device-classes[0].volume-group: volume group \"-\" must not start with '-' "
        "or be \".\" or \"..\"\n"
        "lvmd.yaml:4: device-classes[0].name: \"a b\" must be letters, digits, '-', '_' and '.', "
        "with a letter or digit at both ends\n"
        "lvmd.yaml:5: socket-name: \"x\" must be an absolute path of a file");
}

TEST_CASE("a file is read from its path, which errors and warnings contain", "[config]") {
  const std::string path =
      std::filesystem::temp_directory_path() / fmt::format("lvmd-unit-{}.yaml", ::getpid());
  std::ofstream{path} << with("socket-nam: x\n");
  const auto result = load_config(path);
  std::filesystem::remove(path);
  REQUIRE(result.has_value());
  CHECK(result->config.catalog.device_classes.size() == 1);
  CHECK(result->warnings ==
        Words{path + ":4: socket-nam: unknown key; did you mean \"socket-name\"?"});
}

TEST_CASE("an unreadable file is an error with its name and the reason", "[config]") {
  const auto missing = load_config("/nonexistent/lvmd.yaml");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error() == lvmd::make_error(lvmd::Code::kNotFound,
                                            "/nonexistent/lvmd.yaml: No such file or directory"));
  const auto folder = load_config("/");
  REQUIRE_FALSE(folder.has_value());
  CHECK(folder.error().message == "/: Is a directory");
}
