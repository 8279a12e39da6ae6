#include "lvmd/supervisor/options.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>

#include "lvmd/config/config.hpp"

namespace lvmd::supervisor {
namespace {

// Flags of TopoLVM and its log libraries, which existing units may contain (P-CLI-5).
constexpr std::array kIgnoredWithValue{"--profiling-bind-address",
                                       "-v",
                                       "--v",
                                       "--vmodule",
                                       "--stderrthreshold",
                                       "--log_dir",
                                       "--log_file",
                                       "--log_file_max_size",
                                       "--log_backtrace_at",
                                       "--zap-encoder",
                                       "--zap-log-level",
                                       "--zap-stacktrace-level",
                                       "--zap-time-encoding"};
constexpr std::array kIgnoredBoolean{"--logtostderr",  "--alsologtostderr",  "--add_dir_header",
                                     "--skip_headers", "--skip_log_headers", "--one_output",
                                     "--zap-devel"};

constexpr std::string_view kDescription =
    "lvmd manages the LVM volumes of this node for clients on a Unix socket (gRPC).\n"
    "Without a sub-command it serves in the foreground until SIGTERM, as systemd starts it.";

}  // namespace

Parsed parse_command_line(int argc, const char* const* argv) {
  Options options;
  options.config_path = config::kDefaultConfigPath;
  CLI::App app{std::string{kDescription}, "lvmd"};
  app.set_version_flag("--version", "lvmd " LVMD_VERSION);
  app.add_option("--config", options.config_path, "the configuration file")->capture_default_str();

  CLI::App* const check = app.add_subcommand(
      "check-config", "check a configuration file; exit 0 when lvmd would start with it");
  std::string file;
  check->add_option("FILE", file, "the file to check")->required();

  CLI::App* const health = app.add_subcommand(
      "health", "query the health of the running lvmd; exit 0 when every volume group is healthy");
  health->add_option("--config", options.config_path, "the configuration file (for socket-name)")
      ->capture_default_str();

  CLI::App* const csi = app.add_subcommand("csi", "commands for the CSI driver of this node");
  CLI::App* const release = csi->add_subcommand(
      "release-staging",
      "unmount the driver's staging mounts before another driver takes over; pods keep theirs. "
      "Exit 0 when none is left");
  release->add_option("--config", options.config_path, "the configuration file (for the key csi)")
      ->capture_default_str();
  csi->require_subcommand(1);
  app.require_subcommand(0, 1);

  app.add_option("--metrics-bind-address", options.metrics_flag,
                 "where to serve metrics, instead of the file's metrics-address: unix:/PATH or a "
                 "loopback address and port; 0 disables metrics");

  // An empty group hides the flags from --help.
  const auto note = [&options](const std::string& name) { options.without_effect.push_back(name); };
  app.add_option("--lvm-path", options.lvm_path)->group("");
  for (const std::string name : kIgnoredWithValue)
    app.add_option_function<std::vector<std::string>>(
           name, [note, name](const std::vector<std::string>&) { note(name); })
        ->expected(1)
        ->group("");
  for (const std::string name : kIgnoredBoolean)
    app.add_flag_function(name, [note, name](std::int64_t) { note(name); })->group("");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stop) {
    // exit() prints help and version to stdout, and an error to stderr.
    return {.options = std::nullopt, .exit_status = app.exit(stop)};
  }
  if (check->parsed()) {
    options.action = Action::kCheckConfig;
    options.config_path = file;
  } else if (health->parsed()) {
    options.action = Action::kHealth;
  } else if (release->parsed()) {
    options.action = Action::kReleaseStaging;
  }
  return {.options = std::move(options), .exit_status = 0};
}

}  // namespace lvmd::supervisor
