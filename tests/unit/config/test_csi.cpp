#include <fmt/format.h>

#include <string>

#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;

namespace {

// `text` below the key `csi`, from line 5 on.
std::string csi_with(const std::string& text) { return std::string{kOneClass} + "csi:\n" + text; }

std::string with_csi(const std::string& value) {
  return std::string{kOneClass} + "csi: " + value + "\n";
}

}  // namespace

TEST_CASE("lvmd is a CSI driver if, and only if, the file has the key csi [P-CFG-60]", "[config]") {
  CHECK_FALSE(config_of(kOneClass).csi);
  CHECK_FALSE(config_of(with_csi("")).csi);
  const auto csi = config_of(with_csi("{}")).csi;
  REQUIRE(csi);
  CHECK(csi->driver_name == "topolvm.io");
  CHECK(csi->node_name.empty());
  CHECK(csi->kubelet_root == "/var/lib/kubelet");
  CHECK(csi->max_volumes == 0);
  CHECK(csi->socket_path() == "/var/lib/kubelet/plugins/topolvm.io/csi.sock");
  CHECK(csi->registration_socket_path() ==
        "/var/lib/kubelet/plugins_registry/lvmd-topolvm.io-reg.sock");
}

TEST_CASE("every key of csi is accepted [P-CFG-61, P-CFG-62, P-CFG-63, P-CFG-64]", "[config]") {
  const auto csi = config_of(csi_with("  driver-name: topolvm.cybozu.com\n"
                                      "  node-name: node-1.example.com\n"
                                      "  kubelet-root: /srv/kubelet\n"
                                      "  max-volumes: 100\n"))
                       .csi;
  REQUIRE(csi);
  CHECK(csi->node_name == "node-1.example.com");
  CHECK(csi->max_volumes == 100);
  CHECK(csi->socket_path() == "/srv/kubelet/plugins/topolvm.cybozu.com/csi.sock");
  CHECK(csi->registration_socket_path() ==
        "/srv/kubelet/plugins_registry/lvmd-topolvm.cybozu.com-reg.sock");
}

TEST_CASE("the names of driver and node are names of Kubernetes' objects [P-CFG-61, P-CFG-62]",
          "[config]") {
  const std::string key = GENERATE(as<std::string>{}, "driver-name", "node-name");
  const std::string name = GENERATE(as<std::string>{}, "''", "Node", "a/b", "..", ".a", "a.", "-a",
                                    "a-", "a_b", "'a b'", std::string(254, 'a'));
  CAPTURE(key, name);
  CHECK(error_of(csi_with(fmt::format("  {}: {}\n", key, name)))
            .find(fmt::format("lvmd.yaml:5: csi.{}: \"", key)) != std::string::npos);
}

TEST_CASE("the name of a driver has at most 63 characters [P-CFG-61]", "[config]") {
  CHECK(error_of(csi_with("  kubelet-root: /k\n  driver-name: " + std::string(63, 'a') + "\n")) ==
        "no error");
  CHECK(error_of(csi_with("  kubelet-root: /k\n  driver-name: " + std::string(64, 'a') + "\n"))
            .find("must be at most 63 of the characters") != std::string::npos);
}

TEST_CASE("kubelet's root is a plain path, other than / [P-CFG-63]", "[config]") {
  const std::string path =
      GENERATE(as<std::string>{}, "/", "kubelet", "''", "/var//lib", "/var/lib/", "/var/../lib");
  CAPTURE(path);
  CHECK(error_of(csi_with("  kubelet-root: " + path + "\n"))
            .find("lvmd.yaml:5: csi.kubelet-root: \"" + (path == "''" ? "" : path) +
                  "\" must be an absolute path") == 0);
}

TEST_CASE("the paths of both sockets fit a socket's address [P-CFG-63]", "[config]") {
  // "/plugins_registry/lvmd-topolvm.io-reg.sock" has 42 bytes.
  CHECK(error_of(csi_with("  kubelet-root: /" + std::string(64, 'k') + "\n")) == "no error");
  const std::string error = error_of(csi_with("  kubelet-root: /" + std::string(65, 'k') + "\n"));
  CHECK(error.find("108 bytes long, at most 107 fit a socket's address") != std::string::npos);
}

TEST_CASE("the number of volumes is a whole number up to a million [P-CFG-64]", "[config]") {
  const std::string number = GENERATE(as<std::string>{}, "-1", "1.5", "1000001", "many");
  CAPTURE(number);
  CHECK(error_of(csi_with("  max-volumes: " + number + "\n"))
            .find("lvmd.yaml:5: csi.max-volumes: ") == 0);
}

TEST_CASE("an unknown key of csi is a warning [P-CFG-3]", "[config]") {
  CHECK(warnings_of(csi_with("  driver: x\n")).size() == 1);
}
