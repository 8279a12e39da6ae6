#include "lvmd/server/control.hpp"

#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/ipc/version.hpp"

namespace lvmd::server {

Result<ipc::Channel> take_channel(SupervisorFrame& frame) {
  if (frame.fds.size() != 1)
    return fail(Code::kInvalidArgument,
                "a control frame for a channel carries {} descriptors instead of one",
                frame.fds.size());
  return ipc::Channel{std::move(frame.fds.front())};
}

Result<Setup> receive_setup(ipc::Channel& control) {
  auto received = control.receive<internal::ControlFrame>();
  if (!received) return std::unexpected(received.error());
  if (!*received) return fail(Code::kUnavailable, "the supervisor closed the control channel");
  SupervisorFrame& frame = **received;
  if (!frame.message.has_server())
    return fail(Code::kInvalidArgument, "the first frame is not a server's setup");
  ipc::require_version(frame.message.server().version());
  const int described = frame.message.server().listening_sockets_size();
  if (!std::cmp_equal(described, frame.fds.size()))
    return fail(Code::kInvalidArgument,
                "the server's setup describes {} listening sockets, but has {} descriptors",
                described, frame.fds.size());
  return Setup{.message = std::move(*frame.message.mutable_server()),
               .sockets = std::move(frame.fds)};
}

Control::Control(ipc::Channel& control, Host& host, const Modules& modules)
    : control_(control), host_(host), modules_(modules), reader_([this] { read_frames(); }) {}

Control::~Control() {
  control_.shutdown();
  reader_.join();
}

Control::Order Control::wait(Order present, std::chrono::milliseconds limit) {
  std::unique_lock lock{mutex_};
  changed_.wait_for(lock, limit, [&] { return order_ != present; });
  return order_;
}

void Control::answer_pings_if(std::function<bool()> answers) {
  const std::lock_guard lock{mutex_};
  answers_ = std::move(answers);
}

Status Control::answer_ping(const internal::Ping& ping) {
  for (const internal::Heartbeat& heartbeat : ping.heartbeats())
    host_.metrics().set_heartbeat(heartbeat.child(), {heartbeat.at()});
  std::function<bool()> answers;
  {
    const std::lock_guard lock{mutex_};
    answers = answers_;
  }
  if (answers && !answers())
    return fail(Code::kUnavailable, "the server does not answer its own call");
  internal::ChildEvent event;
  event.mutable_alive()->set_number(ping.number());
  return host_.send(event);
}

Status Control::reconfigure(const internal::Configuration& configuration) {
  for (const auto& module : modules_)
    if (auto done = module->reconfigure(configuration); !done) return done;
  internal::ChildEvent event;
  event.mutable_configured()->set_generation(configuration.generation());
  return host_.send(event);
}

void Control::set(Order order) {
  for (const auto& module : modules_) module->stop_waiting();
  const std::lock_guard lock{mutex_};
  order_ = order;
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
  for (const auto& module : modules_) module->supervisor_lost();
  set(Order::kLeave);
}

Status Control::handle(SupervisorFrame frame) {
  const internal::ControlFrame& message = frame.message;
  if (message.has_ping()) return answer_ping(message.ping());
  if (message.has_configuration()) return reconfigure(message.configuration());
  if (message.has_restarts()) {
    host_.metrics().set_restarts(message.restarts().child(), message.restarts().count());
    return {};
  }
  if (message.has_stop()) {
    set(Order::kStop);
    return {};
  }
  for (const auto& module : modules_) {
    const auto handled = module->handle(frame);
    if (!handled) return std::unexpected(handled.error());
    if (*handled) return {};
  }
  return fail(Code::kInvalidArgument, "frame {} is not for a running server",
              static_cast<int>(message.frame_case()));
}

}  // namespace lvmd::server
