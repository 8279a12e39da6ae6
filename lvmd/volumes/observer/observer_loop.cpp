#include "lvmd/volumes/observer/observer_loop.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "internal/worker.pb.h"
#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/metadata/device_file.hpp"
#include "lvmd/state/pool_monitoring.hpp"

namespace lvmd::volumes::observer {
namespace {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

// A hanging disk, thin usage and failures cause no event. So each PV, pool and RAID volume is
// checked at this interval.
constexpr auto kCheckInterval = 5s;
// After this time a disk that has not answered counts as hung: with the interval, after 13 s.
constexpr std::chrono::seconds kDiskLimit{8};
// The query of LVM and its report have their own limits, to which these add a margin.
constexpr std::chrono::seconds kQueryLimit{state::kDiscoveryLimit + 2s};
constexpr std::chrono::seconds kLvmLimit{state::kReportLimit + 2s};
// The smallest read that every disk accepts with O_DIRECT.
constexpr std::size_t kProbeSize = 4096;

// LVM volumes appear and disappear often, and are no PVs. The event of a removed volume has no dm
// uuid.
bool is_volume(const devmapper::BlockEvent& event) {
  return event.dm_uuid.starts_with("LVM-") ||
         (event.action == "remove" && event.is_device_mapper());
}

}  // namespace

class ObserverLoop::Step {
 public:
  Step(ObserverLoop& loop, const std::string& what, std::chrono::seconds limit) : loop_(loop) {
    begin(what, limit);
  }
  ~Step() {
    internal::ObserverEvent event;
    event.mutable_idle();
    loop_.send_to_server(event);
    if (!is_slow_) return;
    internal::ChildEvent idle;
    idle.mutable_idle();
    loop_.send_to_supervisor(idle);
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  // The step continues with other work.
  void begin(const std::string& what, std::chrono::seconds limit) {
    internal::ObserverEvent event;
    event.mutable_busy()->set_command(what);
    event.mutable_busy()->set_since(monotonic_now().nanoseconds);
    event.mutable_busy()->set_limit_seconds(static_cast<std::uint32_t>(limit.count()));
    loop_.send_to_server(event);
    if (limit <= kDiskLimit) return;
    is_slow_ = true;
    internal::ChildEvent busy;
    *busy.mutable_busy() = event.busy();
    loop_.send_to_supervisor(busy);
  }

 private:
  ObserverLoop& loop_;
  // The step may take longer than the supervisor's limit for an answer to a ping.
  bool is_slow_ = false;
};

ObserverLoop::ObserverLoop(const internal::ObserverSetup& setup, ipc::Channel control,
                           ipc::Channel server, devmapper::UeventListener uevents,
                           devmapper::PvWatch pv_watch)
    : control_(std::move(control)),
      server_(std::move(server)),
      uevents_(std::move(uevents)),
      pv_watch_(std::move(pv_watch)),
      lvm_(state::lvm_program(setup)),
      discovery_(setup.volume_group(), lvm_),
      observation_(setup.volume_group(), setup.lvm_path()),
      search_(setup.volume_group()),
      last_check_(Clock::now()) {}

Status ObserverLoop::run() {
  internal::ChildEvent ready;
  ready.mutable_ready();
  if (auto sent = control_.send(ready); !sent) return sent;
  while (!stopping_) {
    work();
    if (auto waited = wait_for_events(); !waited) return waited;
  }
  return {};
}

Status ObserverLoop::wait_for_events() {
  std::array<pollfd, 4> polled{{{.fd = control_.fd(), .events = POLLIN, .revents = 0},
                                {.fd = server_.fd(), .events = POLLIN, .revents = 0},
                                {.fd = uevents_.fd(), .events = POLLIN, .revents = 0},
                                {.fd = pv_watch_.fd(), .events = POLLIN, .revents = 0}}};
  if (::poll(polled.data(), polled.size(), timeout()) < 0) {
    if (errno == EINTR) return {};
    return fail_errno(errno, "poll");
  }
  if (polled[3].revents != 0) on_pv_written();
  if (polled[2].revents != 0) on_uevents();
  if (polled[1].revents != 0) on_server();
  if (polled[0].revents != 0) on_control();
  return {};
}

void ObserverLoop::on_control() {
  const auto frame = control_.receive<internal::ControlFrame>();
  if (!frame || !*frame) {
    stopping_ = true;
    return;
  }
  const auto& message = (*frame)->message;
  if (!message.has_ping()) {
    log::warning(fmt::format("dropped control frame {}", static_cast<int>(message.frame_case())));
    return;
  }
  internal::ChildEvent event;
  event.mutable_alive()->set_number(message.ping().number());
  send_to_supervisor(event);
}

void ObserverLoop::on_server() {
  const auto frame = server_.receive<internal::ObserverRequest>();
  if (!frame || !*frame)
    stopping_ = true;
  else if ((*frame)->message.has_change_begun())
    observation_.postpone(Clock::now());
  else
    log::warning("dropped an unknown request of the server");
}

void ObserverLoop::on_pv_written() {
  const auto changed = pv_watch_.drain();
  if (!changed) log::warning(fmt::format("cannot read PV events: {}", changed.error().message));
  for (const std::string& device : observation_.devices())
    if (!changed || changed->paths.contains(device) || changed->gone.contains(device))
      observation_.mark_written(Clock::now());
  if (!observation_.is_absent()) return;
  if (!changed) return observation_.request_discovery(Clock::now());
  for (const std::string& device : changed->gone) candidates_.erase(device);
  for (const std::string& device : changed->paths)
    if (candidates_.contains(device) && search_.may_be_on(device))
      return observation_.request_discovery(Clock::now());
}

void ObserverLoop::on_uevents() {
  const auto now = Clock::now();
  const auto drained = uevents_.drain();
  if (!drained) log::warning(fmt::format("cannot read uevents: {}", drained.error().message));
  // Before is_about_devices() reads the devices, so that a later write is not lost.
  if (drained && observation_.is_absent()) watch_candidates(drained->events);
  if (!drained || drained->lost ||
      std::ranges::any_of(drained->events, [this](const auto& e) { return is_about_devices(e); }))
    observation_.mark_devices_changed(now);
  if (drained)
    for (const devmapper::BlockEvent& event : drained->events)
      // No short circuit: DiskSizes must record every event's disk.
      if (is_about_duplicates(event)) observation_.request_discovery(now);
  const std::string prefix = "LVM-" + observation_.id();
  const auto concerns = [&](const devmapper::BlockEvent& event) {
    // The event of a removed device has no dm uuid, so its number identifies it. A PV's device may
    // be a different device of the same name now.
    return event.dm_uuid.starts_with(prefix) ||
           observation_.has_device(makedev(event.major, event.minor)) ||
           std::ranges::find(observation_.devices(), "/dev/" + event.devname) !=
               observation_.devices().end();
  };
  if (!drained || drained->lost || std::ranges::any_of(drained->events, concerns))
    observation_.mark_changed(now);
}

bool ObserverLoop::is_about_devices(const devmapper::BlockEvent& event) {
  if (is_volume(event)) return false;
  // Each change of any group also causes events of its PVs. So for an absent group, LVM is queried
  // only if the device may have the group's metadata.
  return event.action == "remove" || !observation_.is_absent() ||
         search_.may_be_on("/dev/" + event.devname);
}

bool ObserverLoop::is_about_duplicates(const devmapper::BlockEvent& event) {
  const dev_t device = makedev(event.major, event.minor);
  switch (disk_sizes_.update(device)) {
    case DiskSizes::Change::kAppeared:
      return !observation_.is_absent() && !observation_.has_device(device) &&
             search_.may_be_on("/dev/" + event.devname);
    case DiskSizes::Change::kGone:
      // Not for a group that never existed: otherwise the end of every loop device causes a query.
      return observation_.exists_unread();
    case DiskSizes::Change::kNone:
      break;
  }
  return false;
}

void ObserverLoop::work() {
  auto now = Clock::now();
  if (observation_.discovery_due() && *observation_.discovery_due() <= now) discover();
  now = Clock::now();
  if (now - last_check_ >= kCheckInterval) {
    last_check_ = now;
    probe();
    const PoolQuery pools = [this](std::string_view vg_id, std::string_view lv_id) {
      return device_mapper_.thin_pool(vg_id, lv_id);
    };
    const RedundancyQuery redundancy = [this](std::string_view vg_id, std::string_view lv_id) {
      return device_mapper_.redundancy(vg_id, lv_id);
    };
    if (observation_.changes_silently()) {
      const Step step{
          *this,
          fmt::format("read the status of thin pools and RAID volumes of {}", observation_.name()),
          kDiskLimit};
      observation_.check_status(pools, redundancy, now);
    }
  }
  if (observation_.due() && *observation_.due() <= now) {
    auto news = [&] {
      Step step{*this, fmt::format("read volume group {}", observation_.name()), kDiskLimit};
      return observation_.read(now, [&] {
        step.begin(fmt::format("lvm fullreport {}", observation_.name()), kLvmLimit);
      });
    }();
    if (news) push(std::move(*news));
    trim_due_ = now + kRestBeforeTrim;
  }
  // After the state, because a client may wait for it.
  if (observation_.monitoring_due() && *observation_.monitoring_due() <= now) query_monitoring();
  if (trim_due_ && *trim_due_ <= now) {
    trim_due_.reset();
    trim_heap();
  }
}

void ObserverLoop::discover() {
  observation_.discovery_begun(Clock::now());
  auto access = [this] {
    const Step step{*this, fmt::format("vgs {}", observation_.name()), kQueryLimit};
    return discovery_.ask();
  }();
  observation_.set_access(std::move(access), Clock::now());
  const auto& former = observation_.former_devices();
  if (observation_.is_absent())
    candidates_.insert(former.begin(), former.end());
  else
    candidates_.clear();
  watch_devices();
}

void ObserverLoop::query_monitoring() {
  // Otherwise LVM would start dmeventd, in the observer's sandbox.
  if (!state::dmeventd_listens()) {
    observation_.set_unmonitored(observation_.pools(), Clock::now());
    return;
  }
  const auto pools = [this] {
    const Step step{*this, fmt::format("lvs {}", observation_.name()), kDiskLimit};
    return state::unmonitored_pools(lvm_, observation_.name(), observation_.devices());
  }();
  observation_.set_unmonitored(pools, Clock::now());
}

void ObserverLoop::probe() {
  std::vector<std::string> unreadable;
  for (const std::string& path : observation_.devices()) {
    const Step step{*this, fmt::format("read {}", path), kDiskLimit};
    const auto device = metadata::DeviceFile::open(path);
    const auto bytes =
        device ? device->read(0, kProbeSize) : Result<std::string>{std::unexpected(device.error())};
    if (bytes) continue;
    unreadable.push_back(path);
    if (std::ranges::find(unreadable_, path) != unreadable_.end()) continue;
    log::warning(fmt::format("cannot read a physical volume of volume group {}: {}",
                             observation_.name(), bytes.error().message),
                 {{log::kVg, observation_.name()}});
  }
  if (unreadable == unreadable_) return;
  unreadable_ = std::move(unreadable);
  observation_.mark_changed(Clock::now());
}

void ObserverLoop::push(model::VgState state) {
  internal::ObserverEvent event;
  *event.mutable_state() = states_.write(std::move(state));
  send_to_server(event);
}

void ObserverLoop::send_to_server(const internal::ObserverEvent& event) {
  if (!server_.send(event)) stopping_ = true;
}

void ObserverLoop::send_to_supervisor(const internal::ChildEvent& event) {
  if (!control_.send(event)) stopping_ = true;
}

void ObserverLoop::watch_candidates(std::span<const devmapper::BlockEvent> events) {
  bool changed = false;
  for (const devmapper::BlockEvent& event : events) {
    if (is_volume(event)) continue;
    const std::string path = "/dev/" + event.devname;
    // A device that reappears has a new node.
    changed |=
        event.action == "remove" ? candidates_.erase(path) != 0 : candidates_.insert(path).second;
  }
  if (changed) watch_devices();
}

void ObserverLoop::watch_devices() {
  std::vector<std::string> paths = observation_.devices();
  paths.insert(paths.end(), candidates_.begin(), candidates_.end());
  const auto watched = pv_watch_.watch(paths);
  // A candidate may be gone already.
  const bool is_gone =
      !watched && observation_.is_absent() && watched.error().code == Code::kNotFound;
  if (!watched && !is_gone)
    log::warning(
        fmt::format("cannot watch devices of the volume group, so changes made by hand may be "
                    "detected late: {}",
                    watched.error().message));
}

int ObserverLoop::timeout() const {
  std::optional<Clock::time_point> wake;
  const auto sooner = [&wake](std::optional<Clock::time_point> at) {
    if (at && (!wake || *at < *wake)) wake = at;
  };
  sooner(observation_.due());
  sooner(observation_.discovery_due());
  sooner(observation_.monitoring_due());
  if (!observation_.devices().empty()) sooner(last_check_ + kCheckInterval);
  sooner(trim_due_);
  if (!wake) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*wake - Clock::now());
  return static_cast<int>(std::max(left, 0ms).count());
}

}  // namespace lvmd::volumes::observer
