#include "lvmd/observer/observer_loop.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "internal/worker.pb.h"
#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/channel/convert.hpp"

namespace lvmd::observer {
namespace {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

// Thin usage raises no event: one status of each pool, so often.
constexpr auto kUsageInterval = 5s;

}  // namespace

ObserverLoop::ObserverLoop(const internal::ObserverSetup& setup, channel::Channel control,
                           channel::Channel server, devmapper::UeventListener uevents,
                           devmapper::PvWatch pv_watch)
    : lvm_path_(setup.lvm_path()),
      control_(std::move(control)),
      server_(std::move(server)),
      uevents_(std::move(uevents)),
      pv_watch_(std::move(pv_watch)),
      last_usage_check_(Clock::now()) {
  for (const std::string& volume_group : setup.volume_groups())
    observations_.emplace_back(volume_group, lvm_path_);
}

Status ObserverLoop::run() {
  internal::ChildEvent ready;
  ready.mutable_ready();
  if (auto sent = control_.send(ready); !sent) return sent;
  while (!leaving_) {
    if (auto waited = wait_for_events(); !waited) return waited;
    read_due();
  }
  return {};
}

Status ObserverLoop::wait_for_events() {
  std::vector<pollfd> polled{{.fd = control_.fd(), .events = POLLIN, .revents = 0},
                             {.fd = server_.fd(), .events = POLLIN, .revents = 0},
                             {.fd = uevents_.fd(), .events = POLLIN, .revents = 0},
                             {.fd = pv_watch_.fd(), .events = POLLIN, .revents = 0}};
  for (Observation& observation : observations_)
    polled.push_back({.fd = observation.worker().fd(), .events = POLLIN, .revents = 0});
  if (::poll(polled.data(), polled.size(), timeout()) < 0) {
    if (errno == EINTR) return {};
    return fail_errno(errno, "poll");
  }
  std::size_t next = 4;
  for (Observation& observation : observations_)
    if (polled[next++].revents != 0) on_devices(observation);
  if (polled[3].revents != 0) on_pv_written();
  if (polled[2].revents != 0) on_uevents();
  // The server sends nothing: readable means that it is gone.
  if (polled[1].revents != 0) leaving_ = true;
  if (polled[0].revents != 0) on_control();
  return {};
}

void ObserverLoop::on_control() {
  auto frame = control_.receive<internal::ControlFrame>();
  if (!frame || !*frame) {
    leaving_ = true;
    return;
  }
  auto& [message, fds] = **frame;
  if (message.has_configuration())
    on_configuration(message.configuration());
  else if (message.has_worker_attached() && fds.size() == 1)
    on_worker_attached(message.worker_attached().volume_group(), std::move(fds[0]));
  else
    log::warning(fmt::format("dropped control frame {} with {} descriptors",
                             static_cast<int>(message.frame_case()), fds.size()));
}

void ObserverLoop::on_worker_attached(const std::string& volume_group, UniqueFd channel) {
  const auto found = std::ranges::find(observations_, volume_group, &Observation::name);
  if (found != observations_.end()) found->attach(channel::Channel{std::move(channel)});
}

void ObserverLoop::on_configuration(const internal::Configuration& configuration) {
  const auto& groups = configuration.volume_groups();
  observations_.remove_if([&groups](const Observation& observation) {
    return std::ranges::find(groups, observation.name()) == groups.end();
  });
  // Its worker will bring the devices of a group that is new.
  for (const std::string& volume_group : groups)
    if (std::ranges::find(observations_, volume_group, &Observation::name) == observations_.end())
      observations_.emplace_back(volume_group, lvm_path_);
  watch_devices();
  internal::ChildEvent event;
  event.mutable_configured()->set_generation(configuration.generation());
  if (!control_.send(event)) leaving_ = true;
}

void ObserverLoop::on_devices(Observation& observation) {
  auto frame = observation.worker().receive<internal::DeviceList>();
  if (!frame || !*frame) {
    observation.detach();
    return;
  }
  const internal::DeviceList& list = (*frame)->message;
  Result<model::VgAccess> access = model::VgAccess{
      .devices = {list.devices().begin(), list.devices().end()}, .system_id = list.system_id()};
  if (list.has_unavailable()) access = std::unexpected(channel::from_proto(list.unavailable()));
  observation.set_access(std::move(access), Clock::now());
  watch_devices();
}

void ObserverLoop::on_pv_written() {
  const auto now = Clock::now();
  const auto changed = pv_watch_.drain();
  if (!changed) log::warning(fmt::format("PV events can't be read: {}", changed.error().message));
  for (Observation& observation : observations_)
    for (const std::string& device : observation.devices())
      if (!changed || changed->paths.contains(device) || changed->gone.contains(device))
        observation.mark_changed(now);
}

void ObserverLoop::on_uevents() {
  const auto now = Clock::now();
  const auto drained = uevents_.drain();
  if (!drained) log::warning(fmt::format("uevents can't be read: {}", drained.error().message));
  const bool lost = !drained || drained->lost;
  for (Observation& observation : observations_) {
    observation.mark_devices_changed(now);
    const std::string prefix = "LVM-" + observation.id();
    const auto concerns = [&prefix](const devmapper::BlockEvent& event) {
      // A PV that goes takes its group's state with it; what remains of a removed device's uuid is
      // nothing.
      return event.action == "remove" || event.dm_uuid.starts_with(prefix);
    };
    if (lost || std::ranges::any_of(drained->events, concerns)) observation.mark_changed(now);
  }
}

void ObserverLoop::read_due() {
  const auto now = Clock::now();
  if (now - last_usage_check_ >= kUsageInterval) {
    last_usage_check_ = now;
    const PoolLook look = [this](std::string_view vg_id, std::string_view lv_id) {
      return device_mapper_.thin_pool(vg_id, lv_id);
    };
    for (Observation& observation : observations_) observation.look_at_usage(look, now);
  }
  for (Observation& observation : observations_) {
    if (observation.due() && *observation.due() <= now) {
      if (const auto news = observation.read(now)) push(*news);
      trim_due_ = now + kRestBeforeTrim;
    }
    if (observation.refresh_due() && *observation.refresh_due() <= now)
      observation.refresh_devices(now);
  }
  if (trim_due_ && *trim_due_ <= now) {
    trim_due_.reset();
    trim_heap();
  }
}

void ObserverLoop::push(const model::VgState& state) {
  internal::ObserverEvent event;
  *event.mutable_state() = channel::to_proto(state);
  if (!server_.send(event)) leaving_ = true;
}

void ObserverLoop::watch_devices() {
  std::vector<std::string> all;
  for (const Observation& observation : observations_)
    all.insert(all.end(), observation.devices().begin(), observation.devices().end());
  if (auto watched = pv_watch_.watch(all); !watched)
    log::warning(fmt::format("changes made by hand may be seen late: {}", watched.error().message));
}

int ObserverLoop::timeout() const {
  std::optional<Clock::time_point> wake;
  const auto sooner = [&wake](std::optional<Clock::time_point> at) {
    if (at && (!wake || *at < *wake)) wake = at;
  };
  for (const Observation& observation : observations_) {
    sooner(observation.due());
    sooner(observation.refresh_due());
    if (observation.has_pool()) sooner(last_usage_check_ + kUsageInterval);
  }
  sooner(trim_due_);
  if (!wake) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*wake - Clock::now());
  return static_cast<int>(std::max(left, 0ms).count());
}

}  // namespace lvmd::observer
