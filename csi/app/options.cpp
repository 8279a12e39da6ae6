#include "csi/app/options.hpp"

#include <CLI/CLI.hpp>
#include <cstddef>
#include <map>
#include <ostream>

#include "lvmd/model/object_name.hpp"
#include "reconciler/kube/kubeconfig.hpp"

namespace lvmd::controller {
namespace {

const std::map<std::string, log::Priority> kLogLevels{{"error", log::Priority::kError},
                                                      {"warning", log::Priority::kWarning},
                                                      {"notice", log::Priority::kNotice},
                                                      {"info", log::Priority::kInfo},
                                                      {"debug", log::Priority::kDebug}};

// Of the specification.
constexpr std::size_t kMaxDriverName = 63;
// Of a socket's address, without the final zero.
constexpr std::size_t kMaxSocketPath = 107;

void declare(CLI::App& app, Options& options, std::string& log_level) {
  app.set_version_flag("--version", "csi-controller " LVMD_VERSION);
  app.add_option("--csi-socket", options.csi_socket, "the socket for the sidecars")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--driver-name", options.controller.driver.name, "the name of the CSI driver")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_flag("--attach-required", options.controller.attach_required,
               "serve the attacher; the CSIDriver object must have attachRequired: true");
  app.add_option("--listen-address", options.listen_address,
                 "the address for probes and metrics; default: none")
      ->type_name("[HOST]:PORT");
  app.add_option("--log-level", log_level, "the lowest priority that is logged")
      ->check(CLI::IsMember(kLogLevels))
      ->type_name("LEVEL")
      ->capture_default_str();
  CLI::Option* const server =
      app.add_option("--kube-server", options.kube_server,
                     "the API server's URL, https://...; default: the pod's own cluster")
          ->type_name("URL");
  CLI::Option* const token =
      app.add_option("--kube-token-file", options.kube_token_file, "the file with the bearer token")
          ->type_name("FILE")
          ->capture_default_str();
  CLI::Option* const ca =
      app.add_option("--kube-ca-file", options.kube_ca_file, "the file with the API server's CA")
          ->type_name("FILE")
          ->capture_default_str();
  app.add_option("--kubeconfig", options.kubeconfig,
                 "a kubeconfig, whose current context replaces the three options above")
      ->type_name("FILE")
      ->excludes(server)
      ->excludes(token)
      ->excludes(ca);
}

void check(Options& options) {
  const std::string& driver = options.controller.driver.name;
  if (!model::is_object_name(driver) || driver.size() > kMaxDriverName)
    throw CLI::ValidationError(
        "--driver-name",
        fmt::format("\"{}\" must be at most {} of the characters a-z, 0-9, \"-\" and \".\", with a "
                    "letter or digit at both ends of each part",
                    driver, kMaxDriverName));
  const std::string& socket = options.csi_socket;
  if (!socket.starts_with('/') || socket.size() > kMaxSocketPath)
    throw CLI::ValidationError(
        "--csi-socket",
        fmt::format("\"{}\" must be an absolute path of at most {} bytes", socket, kMaxSocketPath));
  if (!options.kubeconfig.empty()) return;
  if (options.kube_server.empty()) options.kube_server = reconciler::kube::in_cluster_server();
  if (options.kube_server.empty())
    throw CLI::ValidationError(
        "--kube-server",
        "is required, or --kubeconfig, or $KUBERNETES_SERVICE_HOST and $KUBERNETES_SERVICE_PORT");
  if (!options.kube_server.starts_with("https://"))
    throw CLI::ValidationError(
        "--kube-server", fmt::format("\"{}\" does not begin with https://", options.kube_server));
}

}  // namespace

std::expected<Options, int> parse_options(int argc, const char* const* argv, std::ostream& out,
                                          std::ostream& err) {
  Options options;
  std::string log_level = "info";
  CLI::App app{
      "The controller of lvmd's CSI driver: creates, grows and deletes volumes and "
      "snapshots by LogicalVolume objects.",
      "csi-controller"};
  try {
    declare(app, options, log_level);
    app.parse(argc, argv);
    options.log_level = kLogLevels.at(log_level);
    check(options);
    return options;
  } catch (const CLI::Error& error) {
    return std::unexpected(app.exit(error, out, err));
  }
}

}  // namespace lvmd::controller
