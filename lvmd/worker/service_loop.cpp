#include "lvmd/worker/service_loop.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <cerrno>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/channel/convert.hpp"

namespace lvmd::worker {

ServiceLoop::ServiceLoop(const internal::WorkerSetup& setup, model::ClassCatalog catalog,
                         lvm::LvmRunner& lvm, Channels channels)
    : volume_group_(setup.volume_group()),
      channels_(std::move(channels)),
      owner_(setup.volume_group(), std::move(catalog), setup.lvm_path(), lvm,
             [this](std::string_view command) { announce(command); }) {}

Status ServiceLoop::run() {
  if (auto sent = send_state(owner_.read()); !sent) return sent;
  send_devices();
  internal::ChildEvent ready;
  ready.mutable_ready();
  if (auto sent = channels_.control.send(ready); !sent) return sent;

  for (;;) {
    // poll() passes over a negative descriptor: an observer that is gone is no reason to wake.
    std::array<pollfd, 3> polled{{
        {.fd = channels_.control.fd(), .events = POLLIN, .revents = 0},
        {.fd = channels_.server.fd(), .events = POLLIN, .revents = 0},
        {.fd = channels_.observer.fd(), .events = POLLIN, .revents = 0},
    }};
    if (::poll(polled.data(), polled.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return fail_errno(errno, "poll");
    }
    if (polled[0].revents != 0) {
      const auto next = on_control();
      if (!next) return std::unexpected(next.error());
      if (*next == Next::kLeave) return {};
    }
    if (polled[1].revents != 0) {
      const auto next = on_server();
      if (!next) return std::unexpected(next.error());
      if (*next == Next::kLeave) return {};
    }
    if (polled[2].revents != 0) on_observer();
  }
}

Result<ServiceLoop::Next> ServiceLoop::on_control() {
  auto frame = channels_.control.receive<internal::ControlFrame>();
  if (!frame) return std::unexpected(frame.error());
  if (!*frame) return Next::kLeave;
  auto& [message, fds] = **frame;
  if (!message.has_observer_attached() || fds.size() != 1)
    return fail(Code::kInternal, "unexpected control frame {}",
                static_cast<int>(message.frame_case()));
  channels_.observer = channel::Channel{std::move(fds[0])};
  send_devices();
  return Next::kGoOn;
}

Result<ServiceLoop::Next> ServiceLoop::on_server() {
  auto frame = channels_.server.receive<internal::WorkerRequest>();
  if (!frame) return std::unexpected(frame.error());
  if (!*frame) return Next::kLeave;
  const internal::WorkerRequest& request = (*frame)->message;

  const auto devices_before = owner_.devices();
  const Outcome outcome = execute(request);
  internal::WorkerEvent event;
  internal::WorkerReply& reply = *event.mutable_reply();
  reply.set_id(request.id());
  if (!outcome.volume)
    *reply.mutable_error() = channel::to_proto(outcome.volume.error());
  else if (*outcome.volume)
    *reply.mutable_volume() = channel::to_proto(**outcome.volume);
  else
    reply.mutable_removed();
  *reply.mutable_state() = channel::to_proto(outcome.state);
  // A server that has gone meanwhile: the work is done, there is nobody left to tell.
  if (!channels_.server.send(event)) return Next::kLeave;
  if (owner_.devices() != devices_before) send_devices();
  return Next::kGoOn;
}

void ServiceLoop::on_observer() {
  const auto frame = channels_.observer.receive<internal::RefreshDevices>();
  if (!frame || !*frame) {
    channels_.observer = {};
    return;
  }
  static_cast<void>(owner_.refresh_devices());
  send_devices();
  if (auto sent = send_state(owner_.read()); !sent)
    log::warning(fmt::format("the state could not be sent: {}", sent.error().message),
                 {{log::kVg, volume_group_}});
}

Outcome ServiceLoop::execute(const internal::WorkerRequest& request) {
  switch (request.call_case()) {
    case internal::WorkerRequest::kCreate: {
      const auto& call = request.create();
      return owner_.create({.name = call.name(),
                            .device_class = call.device_class(),
                            .option_class = call.option_class(),
                            .tags = {call.tags().begin(), call.tags().end()},
                            .size = {call.size_bytes()}});
    }
    case internal::WorkerRequest::kSnapshot: {
      const auto& call = request.snapshot();
      return owner_.snapshot({.name = call.name(),
                              .device_class = call.device_class(),
                              .source = call.source(),
                              .access_type = call.access_type(),
                              .tags = {call.tags().begin(), call.tags().end()},
                              .size = {call.size_bytes()}});
    }
    case internal::WorkerRequest::kResize:
      return owner_.resize({.name = request.resize().name(),
                            .device_class = request.resize().device_class(),
                            .size = {request.resize().size_bytes()}});
    case internal::WorkerRequest::kRemove:
      return owner_.remove(
          {.name = request.remove().name(), .device_class = request.remove().device_class()});
    case internal::WorkerRequest::CALL_NOT_SET:
      break;
  }
  return {.volume = fail(Code::kInvalidArgument, "a request without a call"),
          .state = owner_.read()};
}

Status ServiceLoop::send_state(const model::VgState& state) {
  internal::WorkerEvent event;
  *event.mutable_state() = channel::to_proto(state);
  return channels_.server.send(event);
}

void ServiceLoop::send_devices() {
  if (!channels_.observer) return;
  internal::DeviceList list;
  list.set_volume_group(volume_group_);
  const auto& devices = owner_.devices();
  if (devices)
    list.mutable_devices()->Assign(devices->begin(), devices->end());
  else
    *list.mutable_unavailable() = channel::to_proto(devices.error());
  // An observer that is gone gets the list again when its successor is attached.
  if (!channels_.observer.send(list)) channels_.observer = {};
}

void ServiceLoop::announce(std::string_view command) {
  internal::WorkerEvent event;
  if (command.empty()) {
    event.mutable_idle();
  } else {
    event.mutable_busy()->set_command(std::string{command});
    event.mutable_busy()->set_since(monotonic_now().nanoseconds);
  }
  // A server that is gone is noticed by the loop, after the command.
  static_cast<void>(channels_.server.send(event));
}

}  // namespace lvmd::worker
