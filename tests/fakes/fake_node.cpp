#include "tests/fakes/fake_node.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "lvmd/ipc/convert.hpp"
#include "tests/fakes/layout.hpp"

namespace lvmd::fakes {
namespace {

using namespace std::chrono_literals;

constexpr const char* kKubeletRoot = "/var/lib/kubelet";
constexpr const char* kLocalRoot = "/srv/repositories";
constexpr std::uint32_t kMaxRunning = 2;
constexpr auto kReadyLimit = 20s;
constexpr auto kExitLimit = 10s;

// The peer check is tested, not the file's mode.
constexpr mode_t kEverybodyMayConnect = 0666;

Result<UniqueFd> listen_at(const std::string& path) {
  UniqueFd fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!fd) return fail_errno(errno, "socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return fail(Code::kInvalidArgument, "{} is too long for a socket", path);
  std::memcpy(address.sun_path, path.data(), path.size());
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return fail_errno(errno, "bind " + path);
  if (::chmod(path.c_str(), kEverybodyMayConnect) != 0) return fail_errno(errno, "chmod " + path);
  if (::listen(fd.get(), SOMAXCONN) != 0) return fail_errno(errno, "listen at " + path);
  return fd;
}

}  // namespace

FakeNode::FakeNode() : catalog_(contract_catalog()) {
  for (auto& group : contract_groups(catalog_)) {
    const std::string name = group->name();
    vgs_.try_emplace(name, std::move(group));
  }
}

Result<std::unique_ptr<FakeNode>> FakeNode::start(const NodeOptions& options) {
  std::unique_ptr<FakeNode> node{new FakeNode};
  std::string path = (std::filesystem::temp_directory_path() / "lvmd-fake-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) return fail_errno(errno, "mkdtemp " + path);
  node->directory_ = path;
  std::filesystem::permissions(path, std::filesystem::perms{0755});
  node->movers_ = std::make_unique<FakeMovers>(
      path + "/transfers", [raw = node.get()](const internal::TransferReply& reply) {
        internal::ControlFrame frame;
        *frame.mutable_transfer() = reply;
        return raw->tell(frame);
      });
  if (auto done = node->spawn(options.server); !done) return std::unexpected(done.error());
  if (auto done = node->set_up(options); !done) return std::unexpected(done.error());
  std::unique_lock lock{node->mutex_};
  node->changed_.wait_for(lock, kReadyLimit, [&] { return node->ready_ || node->ended_; });
  if (node->ready_) return node;
  return fail(Code::kInternal, "{} is not ready: {}", options.server, node->log());
}

FakeNode::~FakeNode() {
  if (pid_ > 0) {
    // The server ends when its control channel closes.
    if (control_) control_.shutdown();
    if (!wait_for_exit(kExitLimit)) ::kill(pid_, SIGKILL);
    if (events_.joinable()) events_.join();
  }
  std::error_code ignored;
  if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
}

Status FakeNode::spawn(const std::string& server) {
  auto ends = ipc::make_pair();
  if (!ends) return std::unexpected(ends.error());
  control_ = std::move(ends->first);
  const UniqueFd child = ends->second.release();
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, child.get(), STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (directory_ + "/log").c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0644);
  std::string name = server;
  const std::array<char*, 2> arguments{name.data(), nullptr};
  const int error =
      ::posix_spawn(&pid_, server.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    pid_ = -1;
    return fail_errno(error, "start " + server);
  }
  events_ = std::thread{[this] { read_events(); }};
  return {};
}

Status FakeNode::set_up(const NodeOptions& options) {
  const auto full = listen_at(socket());
  if (!full) return std::unexpected(full.error());
  const auto read_only = listen_at(read_only_socket());
  if (!read_only) return std::unexpected(read_only.error());
  internal::ControlFrame frame;
  internal::ServerSetup& setup = *frame.mutable_server();
  setup.set_version(options.version);
  *setup.mutable_catalog() = ipc::to_proto(catalog_);
  for (const auto& [name, vg] : vgs_) setup.add_volume_groups(name);
  for (const std::string& root : mount_roots()) setup.add_mount_roots(root);
  internal::TransferSetup& transfers = *setup.mutable_transfers();
  transfers.set_record_directory(movers_->directory());
  transfers.add_local_roots(kLocalRoot);
  transfers.set_max_running(kMaxRunning);
  if (options.restic_problem) transfers.mutable_restic()->set_problem(*options.restic_problem);
  std::vector<int> fds;
  const auto add = [&](internal::ListeningSocket::Kind kind, const std::string& path,
                       const std::vector<gid_t>& groups, const UniqueFd& listening) {
    internal::ListeningSocket& added = *setup.add_listening_sockets();
    added.set_kind(kind);
    added.set_path(path);
    added.mutable_group_ids()->Add(groups.begin(), groups.end());
    fds.push_back(listening.get());
  };
  add(internal::ListeningSocket::FULL, socket(), options.full_groups, *full);
  add(internal::ListeningSocket::READ_ONLY, read_only_socket(), options.read_only_groups,
      *read_only);
  std::vector<UniqueFd> kubelets;
  if (options.csi) {
    internal::CsiSetup& csi = *setup.mutable_csi();
    csi.set_driver_name("topolvm.io");
    csi.set_node_name("node-1");
    csi.set_kubelet_root(kKubeletRoot);
    csi.set_endpoint(csi_socket());
    csi.set_max_volumes(100);
    for (const auto& [kind, path] :
         {std::pair{internal::ListeningSocket::CSI, csi_socket()},
          std::pair{internal::ListeningSocket::REGISTRATION, registration_socket()}}) {
      auto listening = listen_at(path);
      if (!listening) return std::unexpected(listening.error());
      add(kind, path, options.full_groups, kubelets.emplace_back(std::move(*listening)));
    }
  }
  UniqueFd metrics;
  if (options.metrics) {
    auto listening = listen_at(metrics_socket());
    if (!listening) return std::unexpected(listening.error());
    metrics = std::move(*listening);
    add(internal::ListeningSocket::METRICS, metrics_socket(), {}, metrics);
  }
  if (auto sent = tell(frame, fds); !sent) return sent;
  for (const auto& [name, vg] : vgs_)
    if (auto started = restart_worker(name); !started) return started;
  for (auto& [name, vg] : vgs_)
    if (auto attached = attach_observer(*vg.vg); !attached) return attached;
  return {};
}

Status FakeNode::restart_worker(const std::string& vg) {
  auto ends = ipc::make_pair();
  if (!ends) return std::unexpected(ends.error());
  worker(vg).start(std::move(ends->first));
  internal::ControlFrame frame;
  frame.mutable_worker_attached()->set_volume_group(vg);
  return tell(frame, std::array{ends->second.fd()});
}

Status FakeNode::tell(const internal::ControlFrame& frame, std::span<const int> fds) {
  const std::lock_guard lock{send_mutex_};
  return control_.send(frame, fds);
}

Status FakeNode::send_restic(const std::string& problem) {
  internal::ControlFrame frame;
  frame.mutable_restic()->set_problem(problem);
  return tell(frame);
}

Status FakeNode::attach_observer(FakeVg& vg) {
  auto ends = ipc::make_pair();
  if (!ends) return std::unexpected(ends.error());
  observers_[vg.name()] = std::move(ends->first);
  internal::ControlFrame frame;
  frame.mutable_observer_attached()->set_volume_group(vg.name());
  if (auto sent = tell(frame, std::array{ends->second.fd()}); !sent) return sent;
  return observe(vg);
}

Status FakeNode::announce_observer_step(const std::string& vg, const std::string& what,
                                        std::chrono::seconds ago, std::chrono::seconds limit) {
  internal::ObserverEvent event;
  event.mutable_busy()->set_command(what);
  event.mutable_busy()->set_since(monotonic_now().nanoseconds -
                                  std::chrono::nanoseconds{ago}.count());
  event.mutable_busy()->set_limit_seconds(static_cast<std::uint32_t>(limit.count()));
  return observers_.at(vg).send(event);
}

Status FakeNode::end_observer_step(const std::string& vg) {
  internal::ObserverEvent event;
  event.mutable_idle();
  return observers_.at(vg).send(event);
}

Status FakeNode::observe(FakeVg& vg) {
  internal::ObserverEvent event;
  *event.mutable_state() = ipc::to_proto(vg.state());
  return observers_.at(vg.name()).send(event);
}

FakeWorker& FakeNode::worker(const std::string& vg) { return vgs_.at(vg).worker; }

Status FakeNode::by_hand(const std::string& vg, const std::function<void(FakeGroup&)>& change) {
  vgs_.at(vg).vg->change(change);
  return observe(*vgs_.at(vg).vg);
}

Status FakeNode::set_trouble(const std::string& vg, std::optional<Error> trouble) {
  vgs_.at(vg).vg->set_trouble(std::move(trouble));
  return observe(*vgs_.at(vg).vg);
}

Status FakeNode::reconfigure(const model::ClassCatalog& catalog) {
  std::set<std::string> groups;
  for (const auto& device_class : catalog.device_classes) groups.insert(device_class.volume_group);
  for (auto& [name, vg] : vgs_)
    // The worker of a removed group finishes its change with the configuration it has.
    if (groups.contains(name) && vg.vg->state().group)
      vg.vg->change([&](FakeGroup& group) { group.set_catalog(catalog); });
  internal::ControlFrame frame;
  internal::Configuration& configuration = *frame.mutable_configuration();
  configuration.set_generation(++generation_);
  *configuration.mutable_catalog() = ipc::to_proto(catalog);
  configuration.mutable_volume_groups()->Assign(groups.begin(), groups.end());
  if (auto sent = tell(frame); !sent) return sent;
  std::unique_lock lock{mutex_};
  if (changed_.wait_for(lock, kReadyLimit, [this] { return configured_ == generation_ || ended_; }))
    return ended_ ? fail(Code::kUnavailable, "the server has ended") : Status{};
  return fail(Code::kDeadlineExceeded, "the server has not taken generation {}", generation_);
}

Status FakeNode::send_restarts(const std::string& child, std::uint64_t count) {
  internal::ControlFrame frame;
  frame.mutable_restarts()->set_child(child);
  frame.mutable_restarts()->set_count(count);
  return tell(frame);
}

Status FakeNode::ping() {
  internal::ControlFrame frame;
  frame.mutable_ping()->set_number(++pinged_);
  if (auto sent = tell(frame); !sent) return sent;
  std::unique_lock lock{mutex_};
  if (changed_.wait_for(lock, kReadyLimit, [this] { return alive_ == pinged_ || ended_; }))
    return ended_ ? fail(Code::kUnavailable, "the server has ended") : Status{};
  return fail(Code::kDeadlineExceeded, "the server has not answered ping {}", pinged_);
}

Status FakeNode::send_stop() {
  internal::ControlFrame frame;
  frame.mutable_stop();
  return tell(frame);
}

void FakeNode::kill_server() const { ::kill(pid_, SIGKILL); }

std::optional<int> FakeNode::wait_for_exit(std::chrono::milliseconds limit) {
  std::unique_lock lock{mutex_};
  changed_.wait_for(lock, limit, [this] { return exit_status_.has_value(); });
  return exit_status_;
}

void FakeNode::read_events() {
  for (;;) {
    const auto received = control_.receive<internal::ChildEvent>();
    if (!received || !*received) break;
    const internal::ChildEvent& event = (*received)->message;
    if (event.has_start_mounter()) {
      const std::lock_guard lock{send_mutex_};
      // A server that has ended needs no mounter.
      static_cast<void>(mounters_.start(event.start_mounter(), control_));
      continue;
    }
    if (event.has_transfer()) movers_->take(event.transfer());
    const std::lock_guard lock{mutex_};
    if (event.has_ready()) ready_ = true;
    if (event.has_alive()) alive_ = event.alive().number();
    if (event.has_configured()) configured_ = event.configured().generation();
    changed_.notify_all();
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  const std::lock_guard lock{mutex_};
  ended_ = true;
  exit_status_ = status;
  changed_.notify_all();
}

std::string FakeNode::log() const {
  std::ostringstream text;
  text << std::ifstream{directory_ + "/log"}.rdbuf();
  return text.str();
}

}  // namespace lvmd::fakes
