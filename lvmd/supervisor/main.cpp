// lvmd: the supervisor, and the sub-commands for administrators.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/config/config_file.hpp"
#include "lvmd/supervisor/metrics_listener.hpp"
#include "lvmd/supervisor/options.hpp"
#include "lvmd/supervisor/socket_unit.hpp"
#include "lvmd/supervisor/supervisor.hpp"

namespace {

using lvmd::supervisor::Action;
using lvmd::supervisor::Options;

// What differs between lvmd.yaml and the systemd unit of this host. lvmd would not start with it.
std::optional<std::string> problem_with_socket_unit(const lvmd::config::Config& config) {
  if (!config.csi) return std::nullopt;
  const auto paths = lvmd::supervisor::paths_of_socket_unit(lvmd::supervisor::kCsiSocketUnit);
  if (!paths) return std::nullopt;
  return lvmd::supervisor::compare_with_socket_unit(*config.csi, *paths);
}

int check_config(const std::string& path) {
  const auto parsed = lvmd::config::load_config(path);
  if (!parsed) {
    fmt::print(stderr, "{}\n", parsed.error().message);
    return 1;
  }
  for (const std::string& warning : parsed->warnings) fmt::print(stderr, "warning: {}\n", warning);
  if (const auto problem = problem_with_socket_unit(parsed->config)) {
    fmt::print(stderr, "{}: {}\n", path, *problem);
    return 1;
  }
  fmt::print("{}: ok\n", path);
  return 0;
}

// Executes one of lvmd's programs. Returns only if that fails, with the exit status.
int execute(const std::string& name, std::vector<std::string> arguments) {
  const std::string program = LVMD_LIBEXECDIR "/" + name;
  arguments.insert(arguments.begin(), program);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  fmt::print(stderr, "{}\n", lvmd::errno_error(errno, program).message);
  return 1;
}

// A separate program is the client of gRPC's health service, because lvmd does not link gRPC.
int health(const std::string& config_path) {
  const auto parsed = lvmd::config::load_config(config_path);
  if (!parsed) {
    fmt::print(stderr, "{}\n", parsed.error().message);
    return 1;
  }
  const auto groups = parsed->config.volume_groups();
  std::vector<std::string> arguments{parsed->config.socket_path};
  arguments.reserve(arguments.size() + groups.size());
  for (const std::string& group : groups) arguments.push_back("vg/" + group);
  return execute("lvmd-health", std::move(arguments));
}

// A separate program unmounts, because lvmd does not link libmount.
int release_staging(const std::string& config_path) {
  const auto parsed = lvmd::config::load_config(config_path);
  if (!parsed) {
    fmt::print(stderr, "{}\n", parsed.error().message);
    return 1;
  }
  // Without the key there may still be mounts of an earlier configuration.
  const auto csi = parsed->config.csi.value_or(lvmd::config::CsiSettings{});
  return execute("lvmd-release-staging", {csi.kubelet_root, csi.driver_name, csi.socket_path()});
}

using MetricsAddress = std::optional<lvmd::config::MetricsAddress>;

// The command-line flag overrides the file.
lvmd::Result<MetricsAddress> metrics_address(const Options& options, MetricsAddress from_file) {
  if (!options.metrics_flag) return from_file;
  auto flag = lvmd::supervisor::parse_metrics_flag(*options.metrics_flag);
  if (!flag) return std::unexpected(std::move(flag.error()));
  if (flag->is_confined)
    lvmd::log::warning(
        fmt::format("--metrics-bind-address {} would reach other hosts: metrics are "
                    "served at {}",
                    *options.metrics_flag, to_string(*flag->address)));
  return std::move(flag->address);
}

int serve(const Options& options) {
  lvmd::limit_heap();
  lvmd::log::init("lvmd");
  // This process handles credentials: no other process may read its memory, and no
  // core file may contain it [P-XFER-5].
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  auto parsed = lvmd::config::load_config(options.config_path);
  if (!parsed) {
    // Each line is one finding and becomes one log entry.
    std::istringstream findings{parsed.error().message};
    for (std::string finding; std::getline(findings, finding);) lvmd::log::error(finding);
    return 1;
  }
  for (const std::string& warning : parsed->warnings) lvmd::log::warning(warning);
  for (const std::string& flag : options.without_effect)
    lvmd::log::warning(
        fmt::format("{} is accepted for compatibility with TopoLVM and has no effect", flag));
  const auto metrics = metrics_address(options, parsed->config.metrics_address);
  if (!metrics) {
    lvmd::log::error(metrics.error().message);
    return 1;
  }
  const bool has_lvm_path = !options.lvm_path.value_or("").empty();
  if (has_lvm_path && !parsed->config.is_native()) {
    lvmd::log::error("--lvm-path and lvm-command-prefix exclude each other: remove --lvm-path");
    return 1;
  }
  if (has_lvm_path) parsed->config.lvm_command_prefix = {*options.lvm_path};
  lvmd::log::info(fmt::format("lvmd {} starts with {}", LVMD_VERSION, options.config_path));
  if (const auto done = lvmd::supervisor::run(
          {.config = parsed->config, .config_path = options.config_path, .metrics = *metrics},
          &lvmd::supervisor::make_modules);
      !done) {
    lvmd::log::error(describe(done.error()));
    return 1;
  }
  return 0;
}

// systemd 252 supports one delay for all restarts, which is short, for crashes. A failed start,
// such as with an invalid lvmd.yaml, lasts this long instead, so that systemd retries it every 5 s.
constexpr auto kFailedStart = std::chrono::seconds{4};

void prolong_failed_start(std::chrono::steady_clock::time_point begin) {
  const bool by_systemd = std::getenv("NOTIFY_SOCKET") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  if (by_systemd) std::this_thread::sleep_until(begin + kFailedStart);
}

}  // namespace

int main(int argc, char** argv) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    const auto [options, exit_status] = lvmd::supervisor::parse_command_line(argc, argv);
    if (!options) return exit_status;
    switch (options->action) {
      case Action::kCheckConfig:
        return check_config(options->config_path);
      case Action::kHealth:
        return health(options->config_path);
      case Action::kReleaseStaging:
        return release_staging(options->config_path);
      case Action::kServe:
        if (serve(*options) == 0) return 0;
        prolong_failed_start(begin);
        return 1;
    }
  } catch (const std::exception& unexpected) {
    lvmd::log::error(fmt::format("unexpected: {}", unexpected.what()));
  }
  return 1;
}
