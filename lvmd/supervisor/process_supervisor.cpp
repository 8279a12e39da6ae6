#include "lvmd/supervisor/process_supervisor.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "lvmd/base/files.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/supervisor/sandbox.hpp"

namespace lvmd::supervisor {
namespace {

// The supervisor pings every child at this interval and kills one that has not answered within the
// limit. Together they stay below 20 s.
constexpr std::chrono::seconds kPingInterval{5};
constexpr std::chrono::seconds kSilenceLimit{9};
// A check that is later than this means that the host or lvmd itself was paused.
constexpr std::chrono::seconds kPauseSuspected{3};
// The time within which the kernel should end a killed process.
constexpr std::chrono::seconds kDyingTime{2};

// Whether the process is stopped by SIGSTOP or a debugger: the state in /proc/<pid>/stat follows
// the name in parentheses.
bool is_stopped(pid_t pid) {
  const std::string line = first_line(fmt::format("/proc/{}/stat", pid));
  const std::size_t end = line.rfind(") ");
  return end != std::string::npos && end + 2 < line.size() && line[end + 2] == 'T';
}

std::string describe_exit(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

constexpr std::string_view kServer = "lvmd-server";

}  // namespace

ProcessSupervisor::ProcessSupervisor(ServerSpec server)
    : server_spec_(std::move(server)), server_(slots_[std::string{kServer}]) {
  next_check_ = Clock::now() + kPingInterval;
}

void ProcessSupervisor::use(const Modules& modules) {
  modules_ = &modules;
  update_slots();
}

void ProcessSupervisor::update_slots() {
  for (auto& [name, slot] : slots_)
    if (&slot != &server_) slot.retired = true;
  for (const auto& module : *modules_)
    for (ServiceProcess& process : module->processes()) {
      Slot& slot = slots_[process.name];
      slot.process = std::move(process);
      slot.retired = false;
    }
}

void ProcessSupervisor::start_due(Clock::time_point now) {
  if (stopping_) return;
  // Not earlier: a server that still serves their groups would report them as lost.
  if (settled()) end_retired();
  const auto start_one = [this, now](std::string_view name, Slot& slot) {
    if (slot.child || slot.retired || slot.due > now) return;
    if (auto started = start(slot); !started) {
      slot.due = now + slot.delay.next({});
      log::error(fmt::format("{} could not be started: {}", name, started.error().message));
    }
  };
  start_one(kServer, server_);
  // A server that does not serve the group of a process yet would drop its channel.
  if (!server_.child || !settled()) return;
  for (auto& [name, slot] : slots_) start_one(name, slot);
}

std::optional<Clock::time_point> ProcessSupervisor::next_due() const {
  if (stopping_) return std::nullopt;
  Clock::time_point next = next_check_;
  for (const auto& [name, slot] : slots_) {
    if (slot.child || slot.retired) continue;
    if (&slot == &server_ || (server_.child && settled())) next = std::min(next, slot.due);
  }
  return next;
}

void ProcessSupervisor::reap(Clock::time_point now) {
  for (auto& [name, slot] : slots_) collect(name, slot, now);
}

void ProcessSupervisor::collect(std::string_view name, Slot& slot, Clock::time_point now) {
  if (!slot.child) return;
  int status = 0;
  if (::waitpid(slot.child->pid, &status, WNOHANG) != slot.child->pid) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == ipc::kExitOtherVersion)
    other_version_ = std::string{name};
  if (slot.retired) {
    log::info(fmt::format("{} (pid {}) has ended: no device class names its volume group any more",
                          name, slot.child->pid));
  } else if (!stopping_) {
    slot.due = now + slot.delay.next(now - slot.child->started);
    log::warning(fmt::format("{} (pid {}) {}: starting it again", name, slot.child->pid,
                             describe_exit(status)));
    ++slot.restarts;
    send_restarts(name, slot);
  }
  slot.child.reset();
}

std::vector<int> ProcessSupervisor::control_fds() const {
  std::vector<int> fds;
  for (const auto& [name, slot] : slots_)
    if (slot.child && slot.child->control) fds.push_back(slot.child->control.fd());
  return fds;
}

void ProcessSupervisor::on_readable(int fd) {
  for (auto& [name, slot] : slots_) {
    if (!slot.child || slot.child->control.fd() != fd) continue;
    auto event = slot.child->control.receive<internal::ChildEvent>();
    if (!event) log::warning(fmt::format("{}: {}", name, event.error().message));
    // At the end of the channel SIGCHLD follows. Until then poll() must not report the channel
    // again.
    if (!event || !*event)
      slot.child->control = {};
    else
      on_message(slot, (*event)->message);
    return;
  }
}

void ProcessSupervisor::on_message(Slot& slot, internal::ChildEvent& message) {
  if (message.has_configured()) {
    slot.taken = message.configured().generation();
    send_configuration(slot);
  } else if (message.has_ready()) {
    slot.child->ready = true;
    if (&slot == &server_) serving_ = true;
  } else if (message.has_alive()) {
    if (message.alive().number() == slot.ping) slot.pinged.reset();
    slot.last_answer = monotonic_now();
  } else if (message.has_busy()) {
    slot.step = message.busy().command();
  } else if (message.has_idle()) {
    slot.step.clear();
    // The child answers the pings that waited meanwhile now.
    if (slot.pinged) slot.pinged = Clock::now();
  } else if (&slot == &server_) {
    for (const auto& module : *modules_)
      if (module->handle(message)) return;
  }
}

void ProcessSupervisor::check_liveness(Clock::time_point now) {
  if (stopping_ || now < next_check_) return;
  const bool late = now - next_check_ > kPauseSuspected;
  next_check_ = now + kPingInterval;
  for (auto& [name, slot] : slots_) {
    if (!slot.child || !slot.child->control) continue;
    if (late && slot.pinged) slot.pinged = now;
    check_answer(name, slot, now);
    ping(slot, now);
  }
}

void ProcessSupervisor::ping(Slot& slot, Clock::time_point now) {
  // No ping for a child that is starting or has not answered the last one: waiting pings must not
  // fill its channel.
  if (!slot.child->ready || slot.pinged || slot.killed) return;
  internal::ControlFrame frame;
  frame.mutable_ping()->set_number(++slot.ping);
  if (&slot == &server_)
    for (const auto& [name, other] : slots_) {
      if (!other.child || other.last_answer == MonotonicTime{}) continue;
      internal::Heartbeat& heartbeat = *frame.mutable_ping()->add_heartbeats();
      heartbeat.set_child(name);
      heartbeat.set_at(other.last_answer.nanoseconds);
    }
  slot.pinged = now;
  // If the send fails, the child has ended; reap() handles it.
  static_cast<void>(send(*slot.child, frame));
}

void ProcessSupervisor::check_answer(std::string_view name, Slot& slot, Clock::time_point now) {
  if (slot.killed) {
    if (now - *slot.killed >= kDyingTime && !std::exchange(slot.logged_unkillable, true))
      log::error(
          fmt::format("{} (pid {}) hangs in the kernel and can't be killed: lvmd "
                      "starts it again when it has ended",
                      name, slot.child->pid));
    return;
  }
  if (!slot.pinged || now - *slot.pinged < kSilenceLimit) return;
  // During a step a process may be silent, unless it is stopped.
  if (!slot.step.empty() && !is_stopped(slot.child->pid)) return;
  log::error(
      fmt::format("{} (pid {}) has not answered for {} s: killed", name, slot.child->pid,
                  std::chrono::duration_cast<std::chrono::seconds>(now - *slot.pinged).count()));
  ::kill(slot.child->pid, SIGKILL);
  slot.killed = now;
}

void ProcessSupervisor::stop() {
  stopping_ = true;
  for (const auto& module : *modules_) module->stop();
  internal::ControlFrame frame;
  frame.mutable_stop();
  if (server_.child) {
    if (auto sent = send(*server_.child, frame); !sent)
      log::warning(fmt::format("{}: {}", kServer, sent.error().message));
  }
  // A worker ends after its command because its channel closes, not because of a signal.
  for (auto& [name, slot] : slots_)
    if (&slot != &server_ && slot.child) slot.child->control = {};
}

void ProcessSupervisor::kill_remaining() {
  for (const auto& [name, slot] : slots_)
    if (slot.child && (!slot.process || slot.process->finishes.empty()))
      ::kill(slot.child->pid, SIGKILL);
}

void ProcessSupervisor::leave_behind() {
  if (std::exchange(left_behind_, true)) return;
  for (const auto& [name, slot] : slots_) {
    if (!slot.child || &slot == &server_) continue;
    log::warning(fmt::format(
        "{} (pid {}) still runs{}: lvmd stops without it, and it ends by itself", name,
        slot.child->pid, slot.step.empty() ? "" : fmt::format(" in \"{}\"", slot.step)));
  }
}

bool ProcessSupervisor::all_gone() const {
  if (left_behind_) return !server_.child;
  return std::ranges::none_of(slots_,
                              [](const auto& item) { return item.second.child.has_value(); });
}

std::vector<std::string> ProcessSupervisor::unfinished() const {
  std::vector<std::string> subjects;
  for (const auto& [name, slot] : slots_)
    if (slot.child && slot.process && !slot.process->finishes.empty())
      subjects.push_back(slot.process->finishes);
  return subjects;
}

Status ProcessSupervisor::send(Child& child, const internal::ControlFrame& frame,
                               std::span<const int> fds) {
  if (!child.control) return fail(Code::kUnavailable, "its control channel is closed");
  return child.control.send(frame, fds);
}

void ProcessSupervisor::adopt(Slot& slot, Child child) const {
  slot.child = std::move(child);
  slot.step.clear();
  slot.pinged.reset();
  slot.last_answer = {};
  slot.killed.reset();
  slot.logged_unkillable = false;
  // The child's setup contains the configuration.
  slot.sent = slot.taken = generation_;
}

void ProcessSupervisor::reconfigure(const internal::ClassCatalog& catalog,
                                    const std::vector<std::string>& volume_groups) {
  ++generation_;
  server_spec_.setup.mutable_volume_groups()->Assign(volume_groups.begin(), volume_groups.end());
  *server_spec_.setup.mutable_catalog() = catalog;
  update_slots();
  for (auto& [name, slot] : slots_)
    if (slot.process && slot.process->is_configured) send_configuration(slot);
  send_configuration(server_);
}

void ProcessSupervisor::end_retired() {
  // A process ends when its channel closes. If it is needed again, it is started after it has
  // ended.
  for (auto& [name, slot] : slots_)
    if (slot.retired && slot.child) slot.child->control = {};
  std::erase_if(slots_, [](const auto& item) { return item.second.retired && !item.second.child; });
}

void ProcessSupervisor::send_restarts(std::string_view name, const Slot& slot) {
  // A new server gets its own count in its setup.
  if (&slot == &server_) return;
  internal::ControlFrame frame;
  frame.mutable_restarts()->set_child(std::string{name});
  frame.mutable_restarts()->set_count(slot.restarts);
  send_to_server(frame);
}

void ProcessSupervisor::send_to_server(const internal::ControlFrame& frame,
                                       std::span<const int> fds) {
  if (!server_.child || !server_.child->control) return;
  if (auto sent = send(*server_.child, frame, fds); !sent)
    log::notice(fmt::format("{}: {}", kServer, sent.error().message));
}

void ProcessSupervisor::send_configuration(Slot& slot) {
  if (!slot.child || !slot.child->control || slot.sent == generation_ || slot.sent != slot.taken)
    return;
  internal::ControlFrame frame;
  internal::Configuration& configuration = *frame.mutable_configuration();
  configuration.set_generation(generation_);
  *configuration.mutable_catalog() = server_spec_.setup.catalog();
  *configuration.mutable_volume_groups() = server_spec_.setup.volume_groups();
  slot.sent = generation_;
  // If the send fails, the child has ended; the setup of its successor contains the configuration.
  if (auto sent = send(*slot.child, frame); !sent)
    log::notice(fmt::format("pid {} did not get the new configuration: {}", slot.child->pid,
                            sent.error().message));
}

bool ProcessSupervisor::settled() const {
  return !server_.child || !server_.child->control || server_.taken == generation_;
}

Status ProcessSupervisor::start(Slot& slot) {
  return &slot == &server_ ? start_server() : start_process(slot);
}

Status ProcessSupervisor::start_server() {
  auto child = spawn({.file = server_spec_.program, .arguments = {}, .confine = [this] {
                        return confine_server(server_spec_.account);
                      }});
  if (!child) return std::unexpected(child.error());
  adopt(server_, std::move(*child));
  internal::ControlFrame frame;
  internal::ServerSetup& setup = *frame.mutable_server();
  setup = server_spec_.setup;
  for (const auto& module : *modules_) module->add_setup(setup);
  for (const auto& [name, slot] : slots_) {
    internal::Restarts& restarts = *setup.add_restarts();
    restarts.set_child(name);
    restarts.set_count(slot.restarts);
  }
  std::vector<int> fds;
  fds.reserve(server_spec_.sockets.size());
  for (const UniqueFd& socket : server_spec_.sockets) fds.push_back(socket.get());
  return send(*server_.child, frame, fds);
}

Status ProcessSupervisor::start_process(Slot& slot) {
  const ServiceProcess& process = *slot.process;
  auto to_server = ipc::make_pair();
  if (!to_server) return std::unexpected(to_server.error());
  auto child =
      spawn({.file = *process.program, .arguments = process.arguments, .confine = process.confine});
  if (!child) return std::unexpected(child.error());
  adopt(slot, std::move(*child));
  const std::array own_end{to_server->first.fd()};
  if (auto sent = send(*slot.child, process.setup(), own_end); !sent) return sent;
  const std::array server_end{to_server->second.fd()};
  return send(*server_.child, process.attached, server_end);
}

}  // namespace lvmd::supervisor
