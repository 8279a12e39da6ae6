// The CSI driver under systemd, as kubelet and an administrator see it.
#include <catch2/catch.hpp>
#include <string>

#include "tests/system/shell.hpp"

using namespace lvmd::system_tests;

namespace {

constexpr const char* kConfig = "/etc/topolvm/lvmd.yaml";
constexpr const char* kCsiSocket = "/var/lib/kubelet/plugins/topolvm.io/csi.sock";
constexpr const char* kRegistrationSocket =
    "/var/lib/kubelet/plugins_registry/lvmd-topolvm.io-reg.sock";

std::string call(const std::string& socket, const std::string& method) {
  return "grpcurl -plaintext -max-time 20 unix://" + socket + " " + method;
}

// lvmd.yaml with `csi`. At the end lvmd runs with the file of before and without its socket.
class CsiInFile {
 public:
  explicit CsiInFile(const std::string& csi) {
    must(std::string{"cp "} + kConfig + " /run/kept.yaml");
    must("echo '" + csi + "' >> " + kConfig);
  }
  CsiInFile(const CsiInFile&) = delete;
  CsiInFile& operator=(const CsiInFile&) = delete;
  ~CsiInFile() {
    // Not must(): a destructor does not throw.
    static_cast<void>(shell(std::string{"systemctl stop lvmd.service lvmd-csi.socket; "
                                        "cp /run/kept.yaml "} +
                            kConfig +
                            "; systemctl reset-failed lvmd.service; systemctl start lvmd.service"));
  }
};

}  // namespace

TEST_CASE("with lvmd-csi.socket, kubelet finds the driver and calls it [P-CSI-1, P-CSI-2]",
          "[system]") {
  const CsiInFile csi{"csi: {node-name: node-1}"};
  must("systemctl stop lvmd.service && systemctl start lvmd-csi.socket lvmd.service");
  CHECK(output_of(call(kRegistrationSocket, "pluginregistration.Registration/GetInfo"))
            .find(kCsiSocket) != std::string::npos);
  const std::string info = output_of(call(kCsiSocket, "csi.v1.Node/NodeGetInfo"));
  INFO(info);
  CHECK(info.find("\"node-1\"") != std::string::npos);
  must("id outsider >/dev/null 2>&1 || useradd -M outsider");
  CHECK(shell("setpriv --reuid outsider --regid outsider --init-groups " + call(kCsiSocket, "list"))
            .exit_code != 0);
  CHECK(output_of(std::string{"stat -c %a "} + kCsiSocket + " " + kRegistrationSocket) ==
        "600\n600");
  CHECK(output_of("stat -c %a /var/lib/kubelet/plugins/topolvm.io") == "750");
  // lvmd keeps serving the sockets over a restart.
  must("systemctl restart lvmd.service");
  CHECK(shell(call(kCsiSocket, "csi.v1.Identity/Probe")).exit_code == 0);
  must("systemctl stop lvmd-csi.socket");
  CHECK(shell(std::string{"ls "} + kCsiSocket + " " + kRegistrationSocket).exit_code == 2);
}

TEST_CASE("csi without its sockets stops the start, naming path and unit [P-CSI-2]", "[system]") {
  const CsiInFile csi{"csi: {}"};
  const Done restarted = shell("systemctl restart lvmd.service");
  const std::string journal = output_of("journalctl -u lvmd.service --no-pager -n 30 -o cat");
  CHECK(restarted.exit_code != 0);
  CHECK(journal.find(std::string{"a socket of csi is "} + kCsiSocket +
                     ", but systemd listens on") != std::string::npos);
  CHECK(journal.find("enable lvmd-csi.socket") != std::string::npos);
}

TEST_CASE("check-config compares csi with lvmd-csi.socket [P-CLI-10]", "[system]") {
  const CsiInFile csi{"csi: {}"};
  CHECK(output_of(std::string{"lvmd check-config "} + kConfig).find("ok") != std::string::npos);
  must(std::string{"sed -i 's#^csi: .*#csi: {kubelet-root: /srv/kubelet}#' "} + kConfig);
  const Done differs = shell(std::string{"lvmd check-config "} + kConfig);
  CHECK(differs.exit_code == 1);
  CHECK(differs.output.find("lvmd needs the sockets /srv/kubelet/plugins/topolvm.io/csi.sock") !=
        std::string::npos);
  CHECK(differs.output.find("systemctl edit lvmd-csi.socket") != std::string::npos);
}
