// The command line. Flags and defaults: docs/csi.md, section 11.
#pragma once

#include <expected>
#include <iosfwd>
#include <string>

#include "csi/controller/controller_service.hpp"
#include "lvmd/base/log.hpp"

namespace lvmd::controller {

struct Options {
  std::string csi_socket = "/csi/csi.sock";
  ControllerOptions controller{};
  // Empty: no listener.
  std::string listen_address{};
  log::Priority log_level = log::Priority::kInfo;
  std::string kube_server{};
  std::string kube_token_file = "/var/run/secrets/kubernetes.io/serviceaccount/token";
  std::string kube_ca_file = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";
  // Replaces the three options above; empty: none.
  std::string kubeconfig{};
};

// The options, with defaults from the environment. Otherwise the exit status, after help, version
// or the error was printed [C-CLI-10, C-CLI-11].
[[nodiscard]] std::expected<Options, int> parse_options(int argc, const char* const* argv,
                                                        std::ostream& out, std::ostream& err);

}  // namespace lvmd::controller
