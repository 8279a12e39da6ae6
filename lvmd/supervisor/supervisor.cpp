#include "lvmd/supervisor/supervisor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/base/log.hpp"
#include "lvmd/base/this_process.hpp"
#include "lvmd/config/reload.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/supervisor/listening_sockets.hpp"
#include "lvmd/supervisor/metrics_listener.hpp"
#include "lvmd/supervisor/module.hpp"
#include "lvmd/supervisor/process_supervisor.hpp"
#include "lvmd/supervisor/socket_unit.hpp"
#include "lvmd/supervisor/systemd_notify.hpp"

namespace lvmd::supervisor {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr const char* kServerUser = "lvmd-server";
constexpr const char* kRuntimeDirectory = "/run/lvmd";
constexpr const char* kStateDirectory = "/var/lib/lvmd";

// The time that a stop waits for LVM commands and the calls that wait for them. A worker that takes
// longer finishes its command after lvmd has stopped, and ends then. The unit's TimeoutStopSec is
// 30 s [P-STOP-2].
constexpr auto kWorkerStopLimit = 20s;
// The time for the server's last answers once no worker runs. It normally ends long before.
constexpr auto kServerStopLimit = 5s;

// The folder of the other programs: of this installation, or LVMD_LIBEXEC for a build tree.
std::string libexec_directory() {
  const char* const configured = std::getenv("LVMD_LIBEXEC");  // NOLINT(concurrency-mt-unsafe)
  return configured != nullptr ? configured : LVMD_LIBEXECDIR;
}

Status make_directory(const char* path, mode_t mode) {
  if ((::mkdir(path, mode) == 0 || errno == EEXIST) && ::chmod(path, mode) == 0) return {};
  return fail_errno(errno, path);
}

// P-SOCK-6: an explicit group must exist, the default one may be missing.
Result<std::optional<gid_t>> socket_group(const std::string& name, std::string_view fallback) {
  const auto found = find_group(name);
  if (!found && name != fallback)
    return fail(Code::kFailedPrecondition,
                "socket-group {} does not exist: create it, or name another one in lvmd.yaml",
                name);
  if (!found)
    log::warning(
        fmt::format("group {} does not exist: only root may use its socket; "
                    "systemd-sysusers creates it",
                    name));
  return found;
}

// Describes the next socket of the server's setup frame. Absent groups are left out.
void describe_socket(internal::ServerSetup& setup, internal::ListeningSocket::Kind kind,
                     const std::string& path, std::initializer_list<std::optional<gid_t>> groups) {
  internal::ListeningSocket& socket = *setup.add_listening_sockets();
  socket.set_kind(kind);
  socket.set_path(path);
  for (const std::optional<gid_t>& group : groups)
    if (group) socket.add_group_ids(*group);
}

// The host's name in lower case, as kubelet's default for the name of its node.
std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> buffer{};
  if (::gethostname(buffer.data(), buffer.size() - 1) != 0) return {};
  std::string name{buffer.data()};
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

// The sockets of gRPC, in the order of their descriptions in the setup.
std::vector<SocketSpec> socket_specs(const config::Config& config, std::optional<gid_t> full_group,
                                     std::optional<gid_t> read_only_group) {
  std::vector<SocketSpec> specs{
      {.path = config.socket_path, .group = full_group, .unit = "lvmd.socket"},
      {.path = config.read_only_socket_path(), .group = read_only_group}};
  if (!config.csi) return specs;
  for (const std::string& path :
       {config.csi->socket_path(), config.csi->registration_socket_path()})
    specs.push_back({.key = "a socket of csi",
                     .path = path,
                     .group = std::nullopt,
                     .unit = kCsiSocketUnit,
                     .makes_folders = true});
  return specs;
}

void describe_csi(internal::ServerSetup& setup, const config::CsiSettings& csi) {
  describe_socket(setup, internal::ListeningSocket::CSI, csi.socket_path(), {});
  describe_socket(setup, internal::ListeningSocket::REGISTRATION, csi.registration_socket_path(),
                  {});
  internal::CsiSetup& message = *setup.mutable_csi();
  message.set_driver_name(csi.driver_name);
  message.set_node_name(csi.node_name.empty() ? host_name() : csi.node_name);
  message.set_kubelet_root(csi.kubelet_root);
  message.set_endpoint(csi.socket_path());
  message.set_max_volumes(static_cast<std::int64_t>(csi.max_volumes));
}

Result<ServerSpec> prepare(const Start& start) {
  const config::Config& config = start.config;
  auto program = ProgramFile::open(libexec_directory() + "/lvmd-server");
  if (!program) return std::unexpected(program.error());
  const auto account = find_user(kServerUser);
  if (!account) return std::unexpected(account.error());
  const auto full_group = socket_group(config.socket_group, config::kDefaultSocketGroup);
  if (!full_group) return std::unexpected(full_group.error());
  const std::string read_only_name{config::kReadOnlySocketGroup};
  const auto read_only_group = socket_group(read_only_name, config::kReadOnlySocketGroup);
  if (!read_only_group) return std::unexpected(read_only_group.error());
  // The server opens files of modules below this folder.
  if (auto made = make_directory(kRuntimeDirectory, 0711); !made)
    return std::unexpected(made.error());
  if (auto made = make_directory(kStateDirectory, 0700); !made)
    return std::unexpected(made.error());
  auto sockets = open_listening_sockets(socket_specs(config, *full_group, *read_only_group));
  if (!sockets) return std::unexpected(sockets.error());

  internal::ServerSetup setup;
  describe_socket(setup, internal::ListeningSocket::FULL, config.socket_path, {*full_group});
  describe_socket(setup, internal::ListeningSocket::READ_ONLY, config.read_only_socket_path(),
                  {*full_group, *read_only_group});
  if (config.csi) describe_csi(setup, *config.csi);
  if (start.metrics) {
    auto metrics = open_metrics_listener(*start.metrics, *read_only_group);
    if (!metrics) return std::unexpected(metrics.error());
    sockets->push_back(std::move(*metrics));
    describe_socket(setup, internal::ListeningSocket::METRICS, to_string(*start.metrics), {});
    log::info(fmt::format("metrics are served at {}", to_string(*start.metrics)));
  }
  setup.set_version(std::string{ipc::version()});
  *setup.mutable_catalog() = ipc::to_proto(config.catalog);
  const std::vector<std::string> volume_groups = config.volume_groups();
  setup.mutable_volume_groups()->Assign(volume_groups.begin(), volume_groups.end());
  return ServerSpec{.program = std::move(*program),
                    .account = *account,
                    .setup = std::move(setup),
                    .sockets = std::move(*sockets)};
}

// The main loop: signals, the children's channels, due restarts, systemd.
class Loop {
 public:
  Loop(ServerSpec server, UniqueFd signals, config::Config config, std::string config_path)
      : supervisor_(std::move(server)),
        signals_(std::move(signals)),
        config_(std::move(config)),
        config_path_(std::move(config_path)) {
    if (const auto interval = watchdog_interval()) watchdog_ = *interval / 2;
  }

  Status run(const Account& server, MakeModules make_modules) {
    auto modules = make_modules({.config = config_,
                                 .program_directory = libexec_directory(),
                                 .runtime_directory = kRuntimeDirectory,
                                 .state_directory = kStateDirectory,
                                 .server = server},
                                supervisor_);
    if (!modules) return std::unexpected(modules.error());
    modules_ = std::move(*modules);
    supervisor_.use(modules_);
    for (;;) {
      supervisor_.start_due(Clock::now());
      supervisor_.check_liveness(Clock::now());
      if (stopping_) enforce_stop_limits(Clock::now());
      notify_systemd();
      if (stopping_ && supervisor_.all_gone()) return {};
      // lvmd was started during an upgrade. The next start uses the files of one version.
      if (supervisor_.other_version())
        return fail(Code::kFailedPrecondition,
                    "{} has another version than lvmd {}: lvmd exits to be started again",
                    *supervisor_.other_version(), ipc::version());
      if (auto waited = wait(); !waited) return waited;
    }
  }

 private:
  Status wait() {
    std::vector<pollfd> polled{{.fd = signals_.get(), .events = POLLIN, .revents = 0}};
    for (const int fd : supervisor_.control_fds())
      polled.push_back({.fd = fd, .events = POLLIN, .revents = 0});
    const std::size_t children = polled.size();
    for (const auto& module : modules_)
      if (const auto more = module->polled()) polled.push_back(*more);
    if (::poll(polled.data(), polled.size(), timeout()) < 0 && errno != EINTR)
      return fail_errno(errno, "poll");
    for (std::size_t i = 1; i < children; ++i)
      if (polled[i].revents != 0) supervisor_.on_readable(polled[i].fd);
    for (const auto& module : modules_) module->process(Clock::now());
    if (polled[0].revents != 0) on_signals();
    return {};
  }

  int timeout() const {
    std::optional<Clock::time_point> wake = supervisor_.next_due();
    const auto sooner = [&wake](Clock::time_point at) {
      if (!wake || at < *wake) wake = at;
    };
    for (const auto& module : modules_)
      if (const auto due = module->next_due()) sooner(*due);
    if (watchdog_) sooner(last_watchdog_ + *watchdog_);
    if (stopping_) {
      // Each limit wakes the loop once: SIGCHLD reports the end of the killed processes.
      for (const auto moment : {stop_begun_ + kWorkerStopLimit, idle_since_ + kServerStopLimit})
        if (Clock::now() < moment) sooner(moment);
    }
    if (!wake) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*wake - Clock::now());
    return static_cast<int>(std::max(left, 0ms).count());
  }

  void on_signals() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
      const auto number = static_cast<int>(info.ssi_signo);
      if (number == SIGCHLD) {
        supervisor_.reap(Clock::now());
        for (const auto& module : modules_) module->reap();
      } else if (number == SIGHUP) {
        if (!stopping_) reload();
      } else if (!stopping_) {
        log::notice(fmt::format("stopping: signal {}", number));
        stopping_ = true;
        stop_begun_ = idle_since_ = Clock::now();
        notify_stopping();
        supervisor_.stop();
      }
    }
  }

  // An invalid file changes nothing: the running configuration stays in force [P-RELOAD-1].
  void reload() {
    if (announced_) notify_reloading();
    reloading_ = true;
    auto reloaded = config::reload_config(config_path_, config_);
    if (!reloaded) {
      std::istringstream findings{reloaded.error().message};
      std::string first;
      for (std::string finding; std::getline(findings, finding);) {
        if (first.empty()) first = finding;
        log::error(finding);
      }
      log::error(fmt::format("{} is not reloaded: the running configuration stays in force",
                             config_path_));
      status_ = fmt::format("serving; the reload was refused: {}", first);
      return;
    }
    for (const std::string& warning : reloaded->warnings) log::warning(warning);
    log::notice(fmt::format("{} is reloaded: {}", config_path_,
                            config::describe_change(config_.catalog, reloaded->config.catalog)));
    status_ = "serving";
    config_ = std::move(reloaded->config);
    for (const auto& module : modules_) module->reconfigure(config_);
    supervisor_.reconfigure(ipc::to_proto(config_.catalog), config_.volume_groups());
  }

  void notify_systemd() {
    const auto now = Clock::now();
    if (supervisor_.serving() && !announced_) {
      announced_ = true;
      notify_ready(status_);
      log::info("serving");
    }
    if (reloading_ && supervisor_.settled()) {
      reloading_ = false;
      if (announced_) notify_ready(status_);
    }
    if (watchdog_ && now - last_watchdog_ >= *watchdog_) {
      last_watchdog_ = now;
      notify_watchdog();
    }
  }

  void enforce_stop_limits(Clock::time_point now) {
    const std::vector<std::string> running = supervisor_.unfinished();
    const bool is_over = now - stop_begun_ >= kWorkerStopLimit;
    if (!running.empty() && !is_over) idle_since_ = now;
    if (is_over || now - idle_since_ >= kServerStopLimit) {
      supervisor_.kill_remaining();
      supervisor_.leave_behind();
    }
    if (running == waited_for_) return;
    waited_for_ = running;
    if (!running.empty())
      notify_status(
          fmt::format("stopping; LVM commands may still run for: {}", fmt::join(running, ", ")));
  }

  ProcessSupervisor supervisor_;
  Modules modules_;
  UniqueFd signals_;
  // The configuration in force.
  config::Config config_;
  std::string config_path_;
  std::string status_ = "serving";
  std::optional<std::chrono::microseconds> watchdog_;
  Clock::time_point last_watchdog_{};
  Clock::time_point stop_begun_{};
  // The time since which no worker runs.
  Clock::time_point idle_since_{};
  std::vector<std::string> waited_for_;
  bool announced_ = false;
  bool reloading_ = false;
  bool stopping_ = false;
};

}  // namespace

Status run(const Start& start, MakeModules make_modules) {
  auto server = prepare(start);
  if (!server) return std::unexpected(server.error());
  auto signals = watch_signals({SIGTERM, SIGINT, SIGHUP, SIGCHLD});
  if (!signals) return std::unexpected(signals.error());
  ::umask(0022);
  const Account account = server->account;
  Loop loop{std::move(*server), std::move(*signals), start.config, start.config_path};
  return loop.run(account, make_modules);
}

}  // namespace lvmd::supervisor
