#include "lvmd/supervisor/options.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>

#include "lvmd/config/config.hpp"

namespace lvmd::supervisor {
namespace {

// TopoLVM's own flags and those of its log libraries, which its users have in their units
// (P-CLI-5).
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
    "Without a sub-command it serves in the foreground until SIGTERM; systemd starts it so.";

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
      "health", "ask the running lvmd how it is; exit 0 when every volume group can be used");
  health->add_option("--config", options.config_path, "the configuration file (for socket-name)")
      ->capture_default_str();
  app.require_subcommand(0, 1);

  app.add_option("--metrics-bind-address", options.metrics_flag,
                 "where metrics are served, before the file's metrics-address: unix:/PATH or a "
                 "loopback address and port; 0 for nowhere");

  // Hidden from --help: an empty group.
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
    // Prints help, version or the error, each to its stream.
    return {.options = std::nullopt, .exit_status = app.exit(stop)};
  }
  if (check->parsed()) {
    options.action = Action::kCheckConfig;
    options.config_path = file;
  } else if (health->parsed()) {
    options.action = Action::kHealth;
  }
  return {.options = std::move(options), .exit_status = 0};
}

}  // namespace lvmd::supervisor
