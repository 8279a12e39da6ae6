#include "lvmd/supervisor/household.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/base/state_directory.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/version.hpp"
#include "lvmd/supervisor/mount_job.hpp"
#include "lvmd/supervisor/sandbox.hpp"

namespace lvmd::supervisor {
namespace {

// Every child is asked so often; one that has not answered for the limit is killed. Together they
// stay below 20 s.
constexpr std::chrono::seconds kPingInterval{5};
constexpr std::chrono::seconds kSilenceLimit{9};
// A check that comes so much too late says that the host was paused, or lvmd itself.
constexpr std::chrono::seconds kPauseSuspected{3};
// What the kernel may take to end a process.
constexpr std::chrono::seconds kDyingTime{2};

// By SIGSTOP or a debugger, as /proc/<pid>/stat has it behind the name in parentheses.
bool is_stopped(pid_t pid) {
  std::ifstream file{fmt::format("/proc/{}/stat", pid)};
  std::string line;
  std::getline(file, line);
  const std::size_t end = line.rfind(") ");
  return end != std::string::npos && end + 2 < line.size() && line[end + 2] == 'T';
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

// The volumes with a record in `directory`. One that can't be read has none: the worker, who must
// read it too, says why it can't.
std::vector<std::string> names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry{directory, error};
  for (; !error && entry != std::filesystem::directory_iterator{}; entry.increment(error))
    if (std::string name = entry->path().filename().string(); name != kUnfinishedIntent)
      names.push_back(std::move(name));
  return names;
}

}  // namespace

Household::Household(HouseholdSpec spec, Listeners listeners)
    : spec_(std::move(spec)),
      listeners_(std::move(listeners)),
      mounters_(std::move(spec_.programs.mounter)) {
  for (const std::string& volume_group : spec_.volume_groups) groups_[volume_group];
  next_check_ = Clock::now() + kPingInterval;
}

template <typename Visit>
void Household::for_each_slot(const Visit& visit) {
  visit("lvmd-server", server_);
  for (auto& [volume_group, group] : groups_) {
    visit(fmt::format("lvmd-observer {}", volume_group), group.observer);
    visit(fmt::format("lvmd-worker {}", volume_group), group.worker);
  }
}

void Household::start_due(Clock::time_point now) {
  if (stopping_) return;
  // Not before: to a server that still serves their groups they would look lost.
  if (settled()) dismiss_retired();
  const auto start = [now](std::string_view name, Slot& slot, const auto& how) {
    if (slot.child || slot.retired || slot.due > now) return;
    if (auto started = how(); !started) {
      slot.due = now + slot.delay.next({});
      log::error(fmt::format("{} can't be started: {}", name, started.error().message));
    }
  };
  start("lvmd-server", server_, [this] { return start_server(); });
  // Without a server nobody would listen to the others.
  if (!server_.child) return;
  // A channel of a group that it doesn't know yet would be dropped.
  if (!settled()) return;
  for (auto& [volume_group, group] : groups_) {
    start("lvmd-observer", group.observer,
          [&] { return start_observer(volume_group, group.observer); });
    start("lvmd-worker", group.worker, [&] { return start_worker(volume_group, group.worker); });
  }
}

std::optional<Clock::time_point> Household::next_due() const {
  if (stopping_) return std::nullopt;
  std::optional<Clock::time_point> next;
  const auto consider = [&next](const Slot& slot) {
    if (!slot.child && !slot.retired && (!next || slot.due < *next)) next = slot.due;
  };
  consider(server_);
  if (server_.child && settled())
    for (const auto& [volume_group, group] : groups_) {
      consider(group.observer);
      consider(group.worker);
    }
  return next ? std::min(*next, next_check_) : next_check_;
}

void Household::reap(Clock::time_point now) {
  for_each_slot([&](std::string_view name, Slot& slot) { collect(name, slot, now); });
  mounters_.reap();
}

void Household::collect(std::string_view name, Slot& slot, Clock::time_point now) {
  if (!slot.child) return;
  int status = 0;
  if (::waitpid(slot.child->pid, &status, WNOHANG) != slot.child->pid) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == ipc::kExitOtherVersion)
    other_version_ = std::string{name};
  if (slot.retired) {
    log::info(fmt::format("{} (pid {}) has left: no device class names its volume group any more",
                          name, slot.child->pid));
  } else if (!stopping_) {
    slot.due = now + slot.delay.next(now - slot.child->started);
    log::warning(fmt::format("{} (pid {}) {}: starting it again", name, slot.child->pid,
                             how_it_ended(status)));
    ++slot.restarts;
    tell_restarts(name, slot);
  }
  slot.child.reset();
}

std::vector<int> Household::control_fds() const {
  std::vector<int> fds;
  const auto add = [&fds](const Slot& slot) {
    if (slot.child && slot.child->control) fds.push_back(slot.child->control.fd());
  };
  add(server_);
  for (const auto& [volume_group, group] : groups_) {
    add(group.observer);
    add(group.worker);
  }
  return fds;
}

void Household::on_readable(int fd) {
  for_each_slot([&](std::string_view name, Slot& slot) {
    if (!slot.child || slot.child->control.fd() != fd) return;
    auto event = slot.child->control.receive<internal::ChildEvent>();
    if (!event) log::warning(fmt::format("{}: {}", name, event.error().message));
    if (!event || !*event) {
      // SIGCHLD follows; until then the closed channel must not wake us again and again.
      slot.child->control = {};
      return;
    }
    on_message(slot, (*event)->message);
  });
}

void Household::on_message(Slot& slot, internal::ChildEvent& message) {
  if (message.has_configured()) {
    slot.taken = message.configured().generation();
    tell_configuration(slot);
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
    // The pings that it could not answer meanwhile are answered now, one after the other.
    if (slot.pinged) slot.pinged = Clock::now();
  } else if (message.has_start_mounter() && &slot == &server_) {
    start_mounter(message.start_mounter());
  } else if (message.has_transfer() && &slot == &server_ && on_transfer_) {
    on_transfer_(std::move(*message.mutable_transfer()));
  }
}

void Household::check_liveness(Clock::time_point now) {
  if (stopping_ || now < next_check_) return;
  const bool late = now - next_check_ > kPauseSuspected;
  next_check_ = now + kPingInterval;
  for_each_slot([&](std::string_view name, Slot& slot) {
    if (!slot.child || !slot.child->control) return;
    if (late && slot.pinged) slot.pinged = now;
    judge(name, slot, now);
    ping(slot, now);
  });
}

void Household::ping(Slot& slot, Clock::time_point now) {
  // One that is starting, or that has not answered the last one, isn't asked again: what waits in
  // its channel must not fill it.
  if (!slot.child->ready || slot.pinged || slot.killed) return;
  internal::ControlFrame frame;
  frame.mutable_ping()->set_number(++slot.ping);
  if (&slot == &server_)
    for_each_slot([&frame](std::string_view name, const Slot& other) {
      if (!other.child || other.last_answer == MonotonicTime{}) return;
      internal::Heartbeat& heartbeat = *frame.mutable_ping()->add_heartbeats();
      heartbeat.set_child(std::string{name});
      heartbeat.set_at(other.last_answer.nanoseconds);
    });
  slot.pinged = now;
  // One that can't be told has ended, and is collected.
  static_cast<void>(tell(*slot.child, frame));
}

void Household::judge(std::string_view name, Slot& slot, Clock::time_point now) {
  if (slot.killed) {
    if (now - *slot.killed >= kDyingTime && !std::exchange(slot.told_unkillable, true))
      log::error(
          fmt::format("{} (pid {}) hangs in the kernel and can't be ended: it is left alone, "
                      "and started again when it has gone",
                      name, slot.child->pid));
    return;
  }
  if (!slot.pinged || now - *slot.pinged < kSilenceLimit) return;
  // Inside a step only a process that somebody stopped is silent without a cause.
  if (!slot.step.empty() && !is_stopped(slot.child->pid)) return;
  log::error(
      fmt::format("{} (pid {}) has given no sign of life for {} s: killed", name, slot.child->pid,
                  std::chrono::duration_cast<std::chrono::seconds>(now - *slot.pinged).count()));
  ::kill(slot.child->pid, SIGKILL);
  slot.killed = now;
}

void Household::stop() {
  stopping_ = true;
  internal::ControlFrame frame;
  frame.mutable_stop();
  if (server_.child) {
    if (auto told = tell(*server_.child, frame); !told)
      log::warning(fmt::format("lvmd-server: {}", told.error().message));
  }
  // A worker finishes its command first: it leaves at the end of its channel, not by a signal.
  for (auto& [volume_group, group] : groups_)
    for (Slot* const slot : {&group.observer, &group.worker})
      if (slot->child) slot->child->control = {};
}

void Household::end_stragglers() {
  if (server_.child) ::kill(server_.child->pid, SIGKILL);
  for (const auto& [volume_group, group] : groups_)
    if (group.observer.child) ::kill(group.observer.child->pid, SIGKILL);
}

void Household::leave_behind() {
  if (std::exchange(left_behind_, true)) return;
  for_each_slot([this](std::string_view name, const Slot& slot) {
    if (!slot.child || &slot == &server_) return;
    log::warning(fmt::format("{} (pid {}) is left behind{}: it ends by itself", name,
                             slot.child->pid,
                             slot.step.empty() ? "" : fmt::format(" in \"{}\"", slot.step)));
  });
}

bool Household::all_gone() const {
  return !server_.child && (left_behind_ || std::ranges::none_of(groups_, [](const auto& item) {
                              return item.second.observer.child || item.second.worker.child;
                            }));
}

std::vector<std::string> Household::running_workers() const {
  std::vector<std::string> running;
  for (const auto& [volume_group, group] : groups_)
    if (group.worker.child) running.push_back(volume_group);
  return running;
}

Result<ipc::Channel> Household::mounter_for(const internal::MountJob& job) {
  if (stopping_)
    return fail(Code::kUnavailable, "lvmd is stopping: try again when it is back")
        .because(reason::kStopping);
  const std::vector<std::string> roots{spec_.server.mount_roots().begin(),
                                       spec_.server.mount_roots().end()};
  const auto checked = checked_mount_job(job, roots, spec_.volume_groups);
  if (!checked) return std::unexpected(checked.error());
  return mounters_.start(*checked);
}

void Household::start_mounter(const internal::StartMounter& request) {
  const auto mounter = mounter_for(request.job());
  internal::ControlFrame frame;
  std::vector<int> fds;
  if (mounter) {
    frame.mutable_mounter_started()->set_number(request.number());
    fds.push_back(mounter->fd());
  } else {
    log::warning(fmt::format("no mounter is started: {}", mounter.error().message));
    frame.mutable_mounter_refused()->set_number(request.number());
    *frame.mutable_mounter_refused()->mutable_error() = ipc::to_proto(mounter.error());
  }
  // One that is gone has no caller left to answer; its mounter finishes the job.
  if (const auto told = tell(*server_.child, frame, fds); !told)
    log::notice(fmt::format("lvmd-server: {}", told.error().message));
}

Status Household::tell(Child& child, const internal::ControlFrame& frame,
                       std::span<const int> fds) {
  if (!child.control) return fail(Code::kUnavailable, "its control channel is closed");
  return child.control.send(frame, fds);
}

void Household::adopt(Slot& slot, Child child) const {
  slot.child = std::move(child);
  slot.step.clear();
  slot.pinged.reset();
  slot.last_answer = {};
  slot.killed.reset();
  slot.told_unkillable = false;
  // Its setup has the configuration in it.
  slot.told = slot.taken = generation_;
}

void Household::reconfigure(const internal::ClassCatalog& catalog,
                            std::vector<std::string> volume_groups) {
  ++generation_;
  spec_.volume_groups = std::move(volume_groups);
  spec_.server.mutable_volume_groups()->Assign(spec_.volume_groups.begin(),
                                               spec_.volume_groups.end());
  *spec_.server.mutable_catalog() = catalog;
  *spec_.worker.mutable_catalog() = catalog;

  for (auto& [volume_group, group] : groups_)
    group.observer.retired = group.worker.retired =
        std::ranges::find(spec_.volume_groups, volume_group) == spec_.volume_groups.end();
  for (const std::string& volume_group : spec_.volume_groups) groups_.try_emplace(volume_group);

  for (auto& [volume_group, group] : groups_) tell_configuration(group.worker);
  tell_configuration(server_);
}

void Household::dismiss_retired() {
  for (auto& [volume_group, group] : groups_)
    for (Slot* const slot : {&group.observer, &group.worker})
      // The end of its channel tells it to leave. One that is wanted again is started when it is
      // gone.
      if (slot->retired && slot->child) slot->child->control = {};
  std::erase_if(groups_, [](const auto& item) {
    const Group& group = item.second;
    return group.worker.retired && !group.worker.child && !group.observer.child;
  });
}

void Household::tell_restarts(std::string_view name, const Slot& slot) {
  // A server that is gone learns it from its setup.
  if (&slot == &server_) return;
  internal::ControlFrame frame;
  frame.mutable_restarts()->set_child(std::string{name});
  frame.mutable_restarts()->set_count(slot.restarts);
  tell_server(frame);
}

void Household::tell_server(const internal::ControlFrame& frame) {
  if (!server_.child || !server_.child->control) return;
  if (auto told = tell(*server_.child, frame); !told)
    log::notice(fmt::format("lvmd-server: {}", told.error().message));
}

void Household::set_restic(const internal::Restic& restic) {
  *spec_.server.mutable_transfers()->mutable_restic() = restic;
  internal::ControlFrame frame;
  *frame.mutable_restic() = restic;
  tell_server(frame);
}

void Household::tell_configuration(Slot& slot) {
  if (!slot.child || !slot.child->control || slot.told == generation_ || slot.told != slot.taken)
    return;
  internal::ControlFrame frame;
  internal::Configuration& configuration = *frame.mutable_configuration();
  configuration.set_generation(generation_);
  *configuration.mutable_catalog() = spec_.server.catalog();
  *configuration.mutable_volume_groups() = spec_.server.volume_groups();
  slot.told = generation_;
  // A child that can't be told has ended: its successor's setup has the configuration.
  if (auto told = tell(*slot.child, frame); !told)
    log::notice(fmt::format("pid {} was not told of the reload: {}", slot.child->pid,
                            told.error().message));
}

bool Household::settled() const {
  const auto has_taken = [this](const Slot& slot) {
    return !slot.child || !slot.child->control || slot.taken == generation_;
  };
  return has_taken(server_);
}

Status Household::start_server() {
  auto child = spawn({.file = spec_.programs.server, .arguments = {}, .narrow = [this] {
                        return sandbox_server(spec_.server_account);
                      }});
  if (!child) return std::unexpected(child.error());
  adopt(server_, std::move(*child));
  internal::ControlFrame frame;
  *frame.mutable_server() = spec_.server;
  for (const std::string& volume_group : spec_.volume_groups) {
    internal::HiddenVolumesOfGroup& hidden = *frame.mutable_server()->add_hidden();
    hidden.set_volume_group(volume_group);
    for (const std::string& name :
         names_in(intents_of_new_volumes(spec_.worker.state_directory(), volume_group)))
      hidden.add_names(name);
  }
  for_each_slot([&frame](std::string_view name, const Slot& slot) {
    internal::Restarts& restarts = *frame.mutable_server()->add_restarts();
    restarts.set_child(std::string{name});
    restarts.set_count(slot.restarts);
  });
  std::vector fds{listeners_.full.get(), listeners_.read_only.get()};
  if (listeners_.metrics) fds.push_back(listeners_.metrics.get());
  return tell(*server_.child, frame, fds);
}

Status Household::start_observer(const std::string& volume_group, Slot& slot) {
  auto to_server = ipc::make_pair();
  if (!to_server) return std::unexpected(to_server.error());
  auto child = spawn(
      {.file = spec_.programs.observer, .arguments = {volume_group}, .narrow = &sandbox_observer});
  if (!child) return std::unexpected(child.error());
  adopt(slot, std::move(*child));
  internal::ControlFrame setup;
  *setup.mutable_observer() = spec_.observer;
  setup.mutable_observer()->set_volume_group(volume_group);
  const std::array observer_end{to_server->first.fd()};
  if (auto told = tell(*slot.child, setup, observer_end); !told) return told;
  internal::ControlFrame attached;
  attached.mutable_observer_attached()->set_volume_group(volume_group);
  const std::array server_end{to_server->second.fd()};
  return tell(*server_.child, attached, server_end);
}

Status Household::start_worker(const std::string& volume_group, Slot& slot) {
  auto to_server = ipc::make_pair();
  if (!to_server) return std::unexpected(to_server.error());
  auto child = spawn(
      {.file = spec_.programs.worker, .arguments = {volume_group}, .narrow = &sandbox_worker});
  if (!child) return std::unexpected(child.error());
  adopt(slot, std::move(*child));

  internal::ControlFrame setup;
  *setup.mutable_worker() = spec_.worker;
  setup.mutable_worker()->set_volume_group(volume_group);
  const std::array worker_end{to_server->first.fd()};
  if (auto told = tell(*slot.child, setup, worker_end); !told) return told;
  internal::ControlFrame attached;
  attached.mutable_worker_attached()->set_volume_group(volume_group);
  const std::array server_end{to_server->second.fd()};
  return tell(*server_.child, attached, server_end);
}

}  // namespace lvmd::supervisor
