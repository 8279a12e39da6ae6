#include "reconciler/app/options.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <map>
#include <utility>
#include <vector>

#include "reconciler/kube/kubeconfig.hpp"

namespace lvmd::reconciler {
namespace {

const std::map<std::string, StoreKind> kStores{{"directory", StoreKind::kDirectory},
                                               {"kube", StoreKind::kKube}};
const std::map<std::string, log::Priority> kLogLevels{{"error", log::Priority::kError},
                                                      {"warning", log::Priority::kWarning},
                                                      {"notice", log::Priority::kNotice},
                                                      {"info", log::Priority::kInfo},
                                                      {"debug", log::Priority::kDebug}};

const std::map<std::string, RestoreGate> kRestoreGates{{"phase", RestoreGate::kPhase},
                                                       {"volumeid", RestoreGate::kVolumeId}};

// At least two comparisons find the volume without an object in this time.
constexpr std::chrono::seconds kShortestGrace{10};

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return ::gethostname(name.data(), name.size()) == 0 ? name.data() : "";
}

// Options that are parsed from text.
struct Text {
  std::string store = "directory";
  std::string log_level = "info";
  std::string delete_after = "60s";
  std::string remove_orphans_after{};
  std::string restore_gate = "phase";
};

struct StoreFlags {
  std::vector<CLI::Option*> directory;
  std::vector<CLI::Option*> kube;
};

StoreFlags declare(CLI::App& app, Options& options, Text& text) {
  app.set_version_flag("--version", "lvmd-reconciler " LVMD_VERSION);
  app.add_option("--store", text.store, "the store with the objects")
      ->check(CLI::IsMember(kStores))
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--lvmd-socket", options.lvmd_socket, "lvmd's socket")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option(
         "--node-name", options.node_name,
         "this node's name in spec.nodeName; default: the host name; required with --store=kube")
      ->type_name("NAME")
      ->envname("NODE_NAME");
  app.add_flag("--dry-run", options.dry_run,
               "change nothing; log the next step that each object needs");
  app.add_option(
         "--remove-orphans-after", text.remove_orphans_after,
         "remove a volume that has had no object for this time, for example 24h; default: never")
      ->type_name("DURATION");
  CLI::Option* const online = app.add_flag(
      "--online-snapshots", options.online_snapshots,
      "store snapshots in a repository if their class requests it, and restore from it");
  app.add_option("--restore-gate", text.restore_gate,
                 "how clients learn that a restored volume may be used: by phase "
                 "(status.snapshot.phase is Succeeded) or volumeid (status.volumeID exists)")
      ->check(CLI::IsMember(kRestoreGates))
      ->type_name("WHAT")
      ->capture_default_str()
      ->needs(online);
  app.add_option("--listen-address", options.listen_address,
                 "the address for probes and metrics; default: none")
      ->type_name("[HOST]:PORT");
  app.add_option("--log-level", text.log_level, "the lowest priority that is logged")
      ->check(CLI::IsMember(kLogLevels))
      ->type_name("LEVEL")
      ->capture_default_str();
  StoreFlags flags;
  const auto add = [&app](std::vector<CLI::Option*>& group, const char* flag, std::string& target,
                          const char* type, const char* help) {
    group.push_back(app.add_option(flag, target, help)->type_name(type)->capture_default_str());
    return group.back();
  };
  add(flags.directory, "--manifests", options.manifests, "DIR", "the folder with the manifests");
  add(flags.directory, "--state-dir", options.state_directory, "DIR",
      "the directory for records and status")
      ->envname("STATE_DIRECTORY");
  add(flags.directory, "--delete-after", text.delete_after, "DURATION",
      "how long a manifest must be missing before its volume is removed: a number with ms, s, m or "
      "h");
  add(flags.kube, "--kube-server", options.kube_server, "URL",
      "the API server's URL, https://...; default: the pod's own cluster");
  add(flags.kube, "--kube-token-file", options.kube_token_file, "FILE",
      "the file with the bearer token");
  add(flags.kube, "--kube-ca-file", options.kube_ca_file, "FILE",
      "the file with the API server's CA");
  CLI::Option* const kubeconfig =
      add(flags.kube, "--kubeconfig", options.kubeconfig, "FILE",
          "a kubeconfig, whose current context replaces the three options above");
  for (CLI::Option* option : flags.directory) option->group("With --store=directory");
  for (CLI::Option* option : flags.kube) {
    option->group("With --store=kube");
    if (option != kubeconfig) kubeconfig->excludes(option);
  }
  return flags;
}

// A flag without effect is an error. A variable is not, because it may be set for other programs.
bool given(const CLI::Option* option, int argc, char** argv) {
  const std::string flag = "--" + option->get_lnames().front();
  return std::any_of(argv + 1, argv + argc, [&](const std::string_view argument) {
    return argument == flag || argument.starts_with(flag + "=");
  });
}

Status complete(Options& options, const StoreFlags& flags, int argc, char** argv) {
  const bool is_kube = options.store == StoreKind::kKube;
  for (const CLI::Option* option : is_kube ? flags.directory : flags.kube)
    if (given(option, argc, argv))
      return fail(Code::kInvalidArgument, "--{} has no effect with --store={}",
                  option->get_lnames().front(), is_kube ? "kube" : "directory");
  if (!is_kube) {
    if (options.node_name.empty()) options.node_name = host_name();
    return {};
  }
  if (options.node_name.empty())
    return fail(Code::kInvalidArgument, "--store=kube needs --node-name or $NODE_NAME");
  if (!options.kubeconfig.empty()) return {};
  if (options.kube_server.empty()) options.kube_server = kube::in_cluster_server();
  if (options.kube_server.empty())
    return fail(
        Code::kInvalidArgument,
        "--store=kube needs --kube-server, --kubeconfig, or $KUBERNETES_SERVICE_HOST and _PORT");
  if (!options.kube_server.starts_with("https://"))  // [R-KUBE-11]
    return fail(Code::kInvalidArgument, "--kube-server \"{}\" does not begin with https://",
                options.kube_server);
  return {};
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
      {{"ms", 1.0}, {"s", 1000.0}, {"m", 60'000.0}, {"h", 3'600'000.0}}};
  constexpr double kLongest = 365.0 * 24 * 3'600'000;
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::string_view rest{end, static_cast<std::size_t>(text.data() + text.size() - end)};
  for (const auto& [unit, factor] : kUnits)
    if (error == std::errc{} && rest == unit && number >= 0 && number * factor <= kLongest)
      return std::chrono::milliseconds{
          static_cast<std::chrono::milliseconds::rep>(number * factor)};
  return fail(Code::kInvalidArgument,
              "\"{}\" is not a duration: write a number with ms, s, m or h, for example 60s", text);
}

std::expected<Options, int> parse_options(int argc, char** argv) {
  Options options;
  Text text;
  CLI::App app{
      "Creates and manages the logical volumes that LogicalVolume objects request on this node.",
      "lvmd-reconciler"};
  try {
    const StoreFlags flags = declare(app, options, text);
    app.parse(argc, argv);
    options.store = kStores.at(text.store);
    options.restore_gate = kRestoreGates.at(text.restore_gate);
    options.log_level = kLogLevels.at(text.log_level);
    if (auto done = complete(options, flags, argc, argv); !done)
      throw CLI::ValidationError(done.error().message);
    const auto duration = parse_duration(text.delete_after);
    if (!duration) throw CLI::ValidationError("--delete-after", duration.error().message);
    options.delete_after = *duration;
    if (!text.remove_orphans_after.empty()) {
      const auto grace = parse_duration(text.remove_orphans_after);
      if (!grace) throw CLI::ValidationError("--remove-orphans-after", grace.error().message);
      if (*grace < kShortestGrace)
        throw CLI::ValidationError("--remove-orphans-after", "must be at least 10s");
      options.remove_orphans_after = *grace;
    }
    return options;
  } catch (const CLI::Error& error) {
    return std::unexpected(app.exit(error));
  }
}

}  // namespace lvmd::reconciler
