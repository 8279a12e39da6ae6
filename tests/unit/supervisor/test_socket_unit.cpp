#include <catch2/catch.hpp>

#include "lvmd/supervisor/socket_unit.hpp"

using namespace lvmd;
using namespace lvmd::supervisor;

TEST_CASE("lvmd-csi.socket with the paths of the defaults is right for csi: {} [P-CLI-10]",
          "[supervisor]") {
  CHECK_FALSE(
      compare_with_socket_unit({}, {"/var/lib/kubelet/plugins_registry/lvmd-topolvm.io-reg.sock",
                                    "/var/lib/kubelet/plugins/topolvm.io/csi.sock"}));
}

TEST_CASE("a unit with other paths is reported with the needed ones and the remedy [P-CLI-10]",
          "[supervisor]") {
  const config::CsiSettings csi{.kubelet_root = "/srv/kubelet"};
  const auto problem = compare_with_socket_unit(
      csi, {csi.socket_path(), "/var/lib/kubelet/plugins_registry/lvmd-topolvm.io-reg.sock"});
  REQUIRE(problem);
  CHECK(*problem ==
        "csi: lvmd needs the sockets /srv/kubelet/plugins/topolvm.io/csi.sock and "
        "/srv/kubelet/plugins_registry/lvmd-topolvm.io-reg.sock, but lvmd-csi.socket has "
        "/srv/kubelet/plugins/topolvm.io/csi.sock and "
        "/var/lib/kubelet/plugins_registry/lvmd-topolvm.io-reg.sock: run systemctl edit "
        "lvmd-csi.socket and set, below [Socket], ListenStream= (empty) and then ListenStream= for "
        "each path");
}
