#include "lvmd/supervisor/household.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/supervisor/sandbox.hpp"

namespace lvmd::supervisor {
namespace {

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was killed by signal {}", WTERMSIG(status));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

Household::Household(HouseholdSpec spec, Listeners listeners)
    : spec_(std::move(spec)), listeners_(std::move(listeners)) {
  for (const std::string& volume_group : spec_.volume_groups) workers_[volume_group];
}

template <typename Visit>
void Household::for_each_slot(const Visit& visit) {
  visit("lvmd-server", server_);
  visit("lvmd-observer", observer_);
  for (auto& [volume_group, slot] : workers_)
    visit(fmt::format("lvmd-worker {}", volume_group), slot);
}

void Household::start_due(Clock::time_point now) {
  if (stopping_) return;
  const auto start = [now](std::string_view name, Slot& slot, const auto& how) {
    if (slot.child || slot.due > now) return;
    if (auto started = how(); !started) {
      slot.due = now + slot.delay.next({});
      log::error(fmt::format("{} can't be started: {}", name, started.error().message));
    }
  };
  start("lvmd-server", server_, [this] { return start_server(); });
  // Without a server nobody would listen to the others.
  if (!server_.child) return;
  start("lvmd-observer", observer_, [this] { return start_observer(); });
  if (!observer_.child) return;
  for (auto& [volume_group, slot] : workers_)
    start("lvmd-worker", slot, [&] { return start_worker(volume_group, slot); });
}

std::optional<Clock::time_point> Household::next_due() const {
  if (stopping_) return std::nullopt;
  std::optional<Clock::time_point> next;
  const auto consider = [&next](const Slot& slot) {
    if (!slot.child && (!next || slot.due < *next)) next = slot.due;
  };
  consider(server_);
  if (!server_.child) return next;
  consider(observer_);
  if (!observer_.child) return next;
  for (const auto& [volume_group, slot] : workers_) consider(slot);
  return next;
}

void Household::reap(Clock::time_point now) {
  for_each_slot([&](std::string_view name, Slot& slot) { collect(name, slot, now); });
}

void Household::collect(std::string_view name, Slot& slot, Clock::time_point now) {
  if (!slot.child) return;
  int status = 0;
  if (::waitpid(slot.child->pid, &status, WNOHANG) != slot.child->pid) return;
  if (!stopping_) {
    slot.due = now + slot.delay.next(now - slot.child->started);
    log::warning(fmt::format("{} (pid {}) {}: starting it again", name, slot.child->pid,
                             how_it_ended(status)));
  }
  slot.child.reset();
}

std::vector<int> Household::control_fds() const {
  std::vector<int> fds;
  const auto add = [&fds](const Slot& slot) {
    if (slot.child && slot.child->control) fds.push_back(slot.child->control.fd());
  };
  add(server_);
  add(observer_);
  for (const auto& [volume_group, slot] : workers_) add(slot);
  return fds;
}

void Household::on_readable(int fd) {
  for_each_slot([&](std::string_view name, Slot& slot) {
    if (!slot.child || slot.child->control.fd() != fd) return;
    const auto event = slot.child->control.receive<internal::ChildEvent>();
    if (!event) log::warning(fmt::format("{}: {}", name, event.error().message));
    if (!event || !*event) {
      // SIGCHLD follows; until then the closed channel must not wake us again and again.
      slot.child->control = {};
      return;
    }
    if ((*event)->message.has_ready()) {
      slot.child->ready = true;
      if (&slot == &server_) serving_ = true;
    }
  });
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
  if (observer_.child) observer_.child->control = {};
  for (auto& [volume_group, slot] : workers_)
    if (slot.child) slot.child->control = {};
}

void Household::end_stragglers() {
  for (const Slot* const slot : {&server_, &observer_})
    if (slot->child) ::kill(slot->child->pid, SIGKILL);
}

bool Household::all_gone() const {
  return !server_.child && !observer_.child && std::ranges::none_of(workers_, [](const auto& item) {
    return item.second.child.has_value();
  });
}

std::vector<std::string> Household::running_workers() const {
  std::vector<std::string> running;
  for (const auto& [volume_group, slot] : workers_)
    if (slot.child) running.push_back(volume_group);
  return running;
}

Status Household::tell(Child& child, const internal::ControlFrame& frame,
                       std::span<const int> fds) {
  if (!child.control) return fail(Code::kUnavailable, "its control channel is closed");
  return child.control.send(frame, fds);
}

Status Household::start_server() {
  auto child =
      spawn({.path = spec_.libexec_directory + "/lvmd-server", .arguments = {}, .narrow = [this] {
               return sandbox_server(spec_.server_account);
             }});
  if (!child) return std::unexpected(child.error());
  server_.child = std::move(*child);
  internal::ControlFrame frame;
  *frame.mutable_server() = spec_.server;
  const std::array fds{listeners_.full.get(), listeners_.read_only.get()};
  return tell(*server_.child, frame, fds);
}

Status Household::start_observer() {
  auto child = spawn({.path = spec_.libexec_directory + "/lvmd-observer",
                      .arguments = {},
                      .narrow = &sandbox_observer});
  if (!child) return std::unexpected(child.error());
  observer_.child = std::move(*child);
  auto pair = channel::make_pair();
  if (!pair) return std::unexpected(pair.error());
  internal::ControlFrame setup;
  *setup.mutable_observer() = spec_.observer;
  const std::array to_observer{pair->first.fd()};
  if (auto told = tell(*observer_.child, setup, to_observer); !told) return told;
  internal::ControlFrame attached;
  attached.mutable_observer_attached();
  const std::array to_server{pair->second.fd()};
  if (auto told = tell(*server_.child, attached, to_server); !told) return told;
  for (auto& [volume_group, slot] : workers_)
    if (slot.child)
      if (auto connected = connect_observer(volume_group, *slot.child); !connected)
        return connected;
  return {};
}

Status Household::start_worker(const std::string& volume_group, Slot& slot) {
  auto to_server = channel::make_pair();
  if (!to_server) return std::unexpected(to_server.error());
  auto to_observer = channel::make_pair();
  if (!to_observer) return std::unexpected(to_observer.error());
  auto child = spawn({.path = spec_.libexec_directory + "/lvmd-worker",
                      .arguments = {volume_group},
                      .narrow = nullptr});
  if (!child) return std::unexpected(child.error());
  slot.child = std::move(*child);

  internal::ControlFrame setup;
  *setup.mutable_worker() = spec_.worker;
  setup.mutable_worker()->set_volume_group(volume_group);
  const std::array worker_ends{to_server->first.fd(), to_observer->first.fd()};
  if (auto told = tell(*slot.child, setup, worker_ends); !told) return told;
  internal::ControlFrame attached;
  attached.mutable_worker_attached()->set_volume_group(volume_group);
  const std::array server_end{to_server->second.fd()};
  if (auto told = tell(*server_.child, attached, server_end); !told) return told;
  const std::array observer_end{to_observer->second.fd()};
  return tell(*observer_.child, attached, observer_end);
}

Status Household::connect_observer(const std::string& volume_group, Child& worker) {
  auto pair = channel::make_pair();
  if (!pair) return std::unexpected(pair.error());
  internal::ControlFrame to_worker;
  to_worker.mutable_observer_attached();
  const std::array worker_end{pair->first.fd()};
  if (auto told = tell(worker, to_worker, worker_end); !told) return told;
  internal::ControlFrame to_observer;
  to_observer.mutable_worker_attached()->set_volume_group(volume_group);
  const std::array observer_end{pair->second.fd()};
  return tell(*observer_.child, to_observer, observer_end);
}

}  // namespace lvmd::supervisor
