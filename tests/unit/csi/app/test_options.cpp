#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "csi/app/options.hpp"

using namespace lvmd;
using namespace lvmd::controller;

namespace {

struct ParsedFlags {
  std::expected<controller::Options, int> options = std::unexpected(-1);
  std::string out{};
  std::string err{};
};

ParsedFlags parse_flags(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "csi-controller");
  std::ostringstream out;
  std::ostringstream err;
  ParsedFlags parsed;
  parsed.options =
      controller::parse_options(static_cast<int>(arguments.size()), arguments.data(), out, err);
  parsed.out = out.str();
  parsed.err = err.str();
  return parsed;
}

constexpr const char* kServer = "--kube-server=https://10.0.0.1:443";

}  // namespace

TEST_CASE("each flag has its default [C-CLI-1..5, C-CLI-8]", "[csi][app]") {
  const ParsedFlags parsed = parse_flags({kServer});
  REQUIRE(parsed.options);
  CHECK(parsed.options->csi_socket == "/csi/csi.sock");
  CHECK(parsed.options->controller.driver.name == "topolvm.io");
  CHECK_FALSE(parsed.options->controller.attach_required);
  CHECK(parsed.options->listen_address.empty());
  CHECK(parsed.options->log_level == log::Priority::kInfo);
  CHECK(parsed.options->kube_server == "https://10.0.0.1:443");
  CHECK(parsed.options->kube_token_file == "/var/run/secrets/kubernetes.io/serviceaccount/token");
  CHECK(parsed.options->kube_ca_file == "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt");
}

TEST_CASE("each flag sets its option [C-CLI-1..9]", "[csi][app]") {
  const ParsedFlags parsed = parse_flags(
      {kServer, "--csi-socket=/run/x.sock", "--driver-name=topolvm.cybozu.com", "--attach-required",
       "--listen-address=:8080", "--log-level=debug", "--kube-token-file=/t", "--kube-ca-file=/c"});
  REQUIRE(parsed.options);
  CHECK(parsed.options->csi_socket == "/run/x.sock");
  CHECK(parsed.options->controller.driver.group() == reconciler::Group::kLegacy);
  CHECK(parsed.options->controller.attach_required);
  CHECK(parsed.options->listen_address == ":8080");
  CHECK(parsed.options->log_level == log::Priority::kDebug);
  CHECK(parsed.options->kube_token_file == "/t");
  CHECK(parsed.options->kube_ca_file == "/c");
  CHECK(parse_flags({"--kubeconfig=/k"}).options->kubeconfig == "/k");
}

TEST_CASE("help and version are printed [C-CLI-10]", "[csi][app]") {
  const ParsedFlags help = parse_flags({"--help"});
  CHECK(help.options.error() == 0);
  CHECK(help.out.contains("--attach-required"));
  CHECK(help.err.empty());
  const ParsedFlags version = parse_flags({"--version"});
  CHECK(version.options.error() == 0);
  CHECK(version.out.starts_with("csi-controller "));
}

TEST_CASE("a wrong command line is refused, with the flag [C-CLI-11]", "[csi][app]") {
  const auto refusal = [](const std::vector<const char*>& arguments) {
    const ParsedFlags parsed = parse_flags(arguments);
    REQUIRE_FALSE(parsed.options);
    CHECK(parsed.options.error() != 0);
    return parsed.err;
  };
  CHECK(refusal({kServer, "--unknown"}).contains("--unknown"));
  CHECK(refusal({"--kube-server=http://10.0.0.1"}).contains("--kube-server"));
  CHECK(refusal({kServer, "--kubeconfig=/k"}).contains("--kubeconfig"));
  CHECK(refusal({kServer, "--driver-name=A"}).contains("--driver-name"));
  CHECK(refusal({kServer, "--csi-socket=csi.sock"}).contains("--csi-socket"));
  CHECK(refusal({kServer, "--log-level=loud"}).contains("--log-level"));
  const std::string long_name(64, 'a');
  const std::string flag = "--driver-name=" + long_name;
  CHECK(refusal({kServer, flag.c_str()}).contains("at most 63"));
}
