#include "lvmd/server/control.hpp"

#include <algorithm>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/version.hpp"

namespace lvmd::server {
namespace {

using Frame = ipc::Channel::Received<internal::ControlFrame>;

// The frame's only descriptor, as a channel.
Result<ipc::Channel> channel_of(Frame& frame) {
  if (frame.fds.size() != 1)
    return fail(Code::kInvalidArgument, "a channel's frame carries {} descriptors instead of one",
                frame.fds.size());
  return ipc::Channel{std::move(frame.fds.front())};
}

std::map<std::string, std::vector<std::string>> hidden_volumes_of(
    const internal::ServerSetup& setup) {
  std::map<std::string, std::vector<std::string>> hidden;
  for (const internal::HiddenVolumesOfGroup& group : setup.hidden())
    hidden[group.volume_group()].assign(group.names().begin(), group.names().end());
  return hidden;
}

// The classes, each of which has its group in `volume_groups`.
template <typename Groups>
Result<model::ClassCatalog> catalog_of(const internal::ClassCatalog& message,
                                       const Groups& volume_groups) {
  auto catalog = ipc::from_proto(message);
  if (!catalog) return catalog;
  for (const model::DeviceClass& device_class : catalog->device_classes)
    if (std::ranges::find(volume_groups, device_class.volume_group) == volume_groups.end())
      return fail(Code::kInvalidArgument, "volume group {} of device class {} is not in the list",
                  device_class.volume_group, device_class.name);
  return catalog;
}

std::map<std::string, std::uint64_t> restarts_of(const internal::ServerSetup& setup) {
  std::map<std::string, std::uint64_t> restarts;
  for (const internal::Restarts& child : setup.restarts())
    restarts.insert_or_assign(child.child(), child.count());
  return restarts;
}

}  // namespace

Result<Setup> receive_setup(ipc::Channel& control) {
  auto received = control.receive<internal::ControlFrame>();
  if (!received) return std::unexpected(received.error());
  if (!*received) return fail(Code::kUnavailable, "the supervisor ended the control channel");
  Frame& frame = **received;
  if (!frame.message.has_server() || frame.fds.size() < 2 || frame.fds.size() > 3)
    return fail(Code::kInvalidArgument,
                "the first frame is not a server's setup with its sockets (it has {} descriptors)",
                frame.fds.size());
  const internal::ServerSetup& setup = frame.message.server();
  ipc::require_version(setup.version());
  auto catalog = catalog_of(setup.catalog(), setup.volume_groups());
  if (!catalog) return std::unexpected(catalog.error());
  return Setup{
      .catalog = std::move(*catalog),
      .volume_groups = {setup.volume_groups().begin(), setup.volume_groups().end()},
      .hidden = hidden_volumes_of(setup),
      .full_groups = {setup.full_group_ids().begin(), setup.full_group_ids().end()},
      .read_only_groups = {setup.read_only_group_ids().begin(), setup.read_only_group_ids().end()},
      .socket_path = setup.socket_path(),
      .read_only_socket_path = setup.read_only_socket_path(),
      .full_socket = std::move(frame.fds[0]),
      .read_only_socket = std::move(frame.fds[1]),
      .metrics_socket = frame.fds.size() == 3 ? std::move(frame.fds[2]) : UniqueFd{},
      .restarts = restarts_of(setup),
      .mount_roots = {setup.mount_roots().begin(), setup.mount_roots().end()},
      .transfers = setup.transfers(),
  };
}

Control::Control(ipc::Channel& control, Backend& backend, SupervisorLink& link,
                 Transfers& transfers)
    : control_(control), backend_(backend), link_(link), transfers_(transfers) {
  link_.connect([this](const internal::ChildEvent& event) { return tell(event); });
  reader_ = std::thread{[this] { read_frames(); }};
}

Control::~Control() {
  control_.shutdown();
  reader_.join();
  link_.lost();
}

Control::Wish Control::wait(Wish present, std::chrono::milliseconds limit) {
  std::unique_lock lock{mutex_};
  changed_.wait_for(lock, limit, [&] { return wish_ != present; });
  return wish_;
}

Status Control::tell(const internal::ChildEvent& event) {
  const std::lock_guard lock{send_mutex_};
  return control_.send(event);
}

void Control::answer_pings_if(std::function<bool()> answers) {
  const std::lock_guard lock{mutex_};
  answers_ = std::move(answers);
}

Status Control::answer_ping(const internal::Ping& ping) {
  for (const internal::Heartbeat& heartbeat : ping.heartbeats())
    backend_.metrics().set_heartbeat(heartbeat.child(), {heartbeat.at()});
  std::function<bool()> answers;
  {
    const std::lock_guard lock{mutex_};
    answers = answers_;
  }
  if (answers && !answers())
    return fail(Code::kUnavailable, "the server does not answer its own call");
  internal::ChildEvent event;
  event.mutable_alive()->set_number(ping.number());
  return tell(event);
}

Status Control::reconfigure(const internal::Configuration& configuration) {
  auto catalog = catalog_of(configuration.catalog(), configuration.volume_groups());
  if (!catalog) return std::unexpected(catalog.error());
  backend_.reconfigure(std::move(*catalog), {configuration.volume_groups().begin(),
                                             configuration.volume_groups().end()});
  internal::ChildEvent event;
  event.mutable_configured()->set_generation(configuration.generation());
  return tell(event);
}

void Control::set(Wish wish) {
  backend_.hurry();
  const std::lock_guard lock{mutex_};
  wish_ = wish;
  changed_.notify_all();
}

void Control::read_frames() {
  for (;;) {
    auto received = control_.receive<internal::ControlFrame>();
    if (!received) {
      log::error("the control channel is broken: " + received.error().message);
      break;
    }
    if (!*received) break;
    if (const auto handled = handle(std::move(**received)); !handled)
      log::error("dropped a control frame: " + handled.error().message);
  }
  link_.lost();
  set(Wish::kLeave);
}

Status Control::handle(Frame frame) {
  switch (frame.message.frame_case()) {
    case internal::ControlFrame::kWorkerAttached: {
      auto channel = channel_of(frame);
      if (!channel) return std::unexpected(channel.error());
      return backend_.attach_worker(frame.message.worker_attached().volume_group(),
                                    std::move(*channel));
    }
    case internal::ControlFrame::kObserverAttached: {
      auto channel = channel_of(frame);
      if (!channel) return std::unexpected(channel.error());
      return backend_.attach_observer(frame.message.observer_attached().volume_group(),
                                      std::move(*channel));
    }
    case internal::ControlFrame::kMounterStarted: {
      auto channel = channel_of(frame);
      if (!channel) return std::unexpected(channel.error());
      backend_.mounters().started(frame.message.mounter_started().number(), std::move(*channel));
      return {};
    }
    case internal::ControlFrame::kMounterRefused:
      backend_.mounters().refused(frame.message.mounter_refused().number(),
                                  ipc::from_proto(frame.message.mounter_refused().error()));
      return {};
    case internal::ControlFrame::kConfiguration:
      return reconfigure(frame.message.configuration());
    case internal::ControlFrame::kRestarts:
      backend_.metrics().set_restarts(frame.message.restarts().child(),
                                      frame.message.restarts().count());
      return {};
    case internal::ControlFrame::kTransfer:
      link_.answered(frame.message.transfer());
      return {};
    case internal::ControlFrame::kRestic:
      transfers_.set_restic(frame.message.restic());
      return {};
    case internal::ControlFrame::kPing:
      return answer_ping(frame.message.ping());
    case internal::ControlFrame::kStop:
      set(Wish::kStop);
      return {};
    case internal::ControlFrame::kServer:
    case internal::ControlFrame::kObserver:
    case internal::ControlFrame::kWorker:
    case internal::ControlFrame::FRAME_NOT_SET:
      break;
  }
  return fail(Code::kInvalidArgument, "frame {} is not for a running server",
              static_cast<int>(frame.message.frame_case()));
}

}  // namespace lvmd::server
