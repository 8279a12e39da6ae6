// The commands that a person types: grpcurl through reflection, lvmd's own sub-commands.
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;

namespace {

Done grpcurl(const std::string& data, const std::string& method,
             const std::string& socket = kSocket) {
  return shell("grpcurl -plaintext -d '" + data + "' unix://" + socket + " " + method);
}

}  // namespace

TEST_CASE("grpcurl lists the services without a proto file [P-HEALTH-5, P-WIRE-1, P-WIRE-5]",
          "[system]") {
  const std::string services =
      output_of(std::string{"grpcurl -plaintext unix://"} + kSocket + " list");
  for (const char* const name : {"proto.LVService", "proto.VGService", "grpc.health.v1.Health"})
    CHECK(services.find(name) != std::string::npos);
  const std::string reading =
      output_of(std::string{"grpcurl -plaintext unix://"} + kReadOnlySocket + " list");
  CHECK(reading.find("proto.VGService") != std::string::npos);
  CHECK(reading.find("proto.LVService") == std::string::npos);
}

TEST_CASE("each call works through reflection", "[system]") {
  Scratch scratch;
  const std::string thick = scratch.name("thick");
  const std::string thin = scratch.name("thin");
  const std::string snap = scratch.name("thin");
  const auto ok = [](const Done& done) {
    INFO(done.output);
    CHECK(done.exit_code == 0);
    return done.output;
  };
  ok(grpcurl(R"({"name":")" + thick + R"(","size_bytes":8388608})", "proto.LVService/CreateLV"));
  ok(grpcurl(R"({"name":")" + thin + R"(","device_class":"thin","size_bytes":8388608})",
             "proto.LVService/CreateLV"));
  ok(grpcurl(R"({"name":")" + snap + R"(","device_class":"thin","source_volume":")" + thin +
                 R"(","access_type":"ro"})",
             "proto.LVService/CreateLVSnapshot"));
  CHECK(ok(grpcurl(R"({"name":")" + thick + R"(","size_bytes":16777216})",
                   "proto.LVService/ResizeLV"))
            .find("16777216") != std::string::npos);
  CHECK(ok(grpcurl(R"({"device_class":"thin"})", "proto.VGService/GetLVList")).find(snap) !=
        std::string::npos);
  CHECK(ok(grpcurl("{}", "proto.VGService/GetFreeBytes")).find("free_bytes") != std::string::npos);
  const Done watch = shell(std::string{"timeout 3 grpcurl -plaintext unix://"} + kSocket +
                           " proto.VGService/Watch");
  CHECK(watch.output.find("device_class") != std::string::npos);
  ok(grpcurl(R"({"name":")" + snap + R"(","device_class":"thin"})", "proto.LVService/RemoveLV"));
  const Done gone =
      grpcurl(R"({"name":")" + snap + R"(","device_class":"thin"})", "proto.LVService/RemoveLV");
  CHECK(gone.exit_code != 0);
  CHECK(gone.output.find("Code: NotFound") != std::string::npos);
}

TEST_CASE("each example of the README works as pasted", "[system]") {
  const Done done = shell("/usr/lib/lvmd/tests/readme_examples.sh /usr/lib/lvmd/tests/README.md");
  INFO(done.output);
  CHECK(done.exit_code == 0);
}

TEST_CASE("who isn't in the group is not let in [P-SOCK-4]", "[system]") {
  const std::string call = "grpcurl -plaintext -max-time 5 unix://";
  must(
      "id outsider >/dev/null 2>&1 || useradd -M outsider; id reader >/dev/null 2>&1 || useradd -M "
      "-G lvmd-ro reader");
  CHECK(shell("setpriv --reuid outsider --regid outsider --init-groups " + call + kSocket + " list")
            .exit_code != 0);
  CHECK(shell("setpriv --reuid reader --regid reader --init-groups " + call + kSocket + " list")
            .exit_code != 0);
  CHECK(shell("setpriv --reuid reader --regid reader --init-groups " + call + kReadOnlySocket +
              " list")
            .exit_code == 0);
}

TEST_CASE("lvmd explains itself", "[system]") {
  CHECK(output_of("lvmd --version").starts_with("lvmd "));
  CHECK(output_of("lvmd --help").find("check-config") != std::string::npos);
  CHECK(output_of("lvmd check-config /etc/topolvm/lvmd.yaml").find("ok") != std::string::npos);
  must("sed 's/default: true/default: maybe/' /etc/topolvm/lvmd.yaml > /run/wrong.yaml");
  const Done wrong = shell("lvmd check-config /run/wrong.yaml");
  CHECK(wrong.exit_code == 1);
  CHECK(wrong.output.starts_with("/run/wrong.yaml:3: device-classes[0].default: "));
}

TEST_CASE("a socket-name that systemd doesn't listen on stops the start, naming both [P-SOCK-7]",
          "[system]") {
  must("cp /etc/topolvm/lvmd.yaml /run/kept.yaml");
  must("sed -i 's#socket-name: .*#socket-name: /run/topolvm/other.sock#' /etc/topolvm/lvmd.yaml");
  const Done restarted = shell("systemctl restart lvmd.service");
  const std::string journal = output_of("journalctl -u lvmd.service --no-pager -n 30 -o cat");
  // Stopped first: systemd is about to try again.
  must("systemctl stop lvmd.service lvmd.socket lvmd-ro.socket");
  must("cp /run/kept.yaml /etc/topolvm/lvmd.yaml && systemctl reset-failed lvmd.service");
  must("systemctl start lvmd.socket lvmd-ro.socket && systemctl start lvmd.service");
  CHECK(restarted.exit_code != 0);
  CHECK(journal.find("socket-name is /run/topolvm/other.sock, but systemd listens on "
                     "/run/topolvm/lvmd") != std::string::npos);
}

TEST_CASE("entries in the journal carry fields [E-SEEN-1]", "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thick");
  REQUIRE(scratch.client.create(create_request("thick", name, 8 * kMiB)).ok());
  CHECK(eventually([&] {
    return !output_of("journalctl --no-pager -o cat LVMD_VG=vg_thick LVMD_LV=" + name).empty();
  }));
}
