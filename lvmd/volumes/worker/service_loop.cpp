#include "lvmd/volumes/worker/service_loop.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/heap.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/lvm/memory_lock.hpp"

namespace lvmd::volumes::worker {
namespace {

using std::chrono_literals::operator""ms;

// The limit of the wait for the server's acknowledgement, which normally takes milliseconds.
constexpr std::chrono::seconds kHideLimit{5};

internal::HiddenVolumes to_message(const std::vector<std::string>& hidden) {
  internal::HiddenVolumes message;
  message.mutable_names()->Assign(hidden.begin(), hidden.end());
  return message;
}

}  // namespace

ServiceLoop::ServiceLoop(VolumeGroupOwner::Setup setup, lvm::LvmRunner& lvm, Channels channels)
    : volume_group_(setup.volume_group),
      channels_(std::move(channels)),
      owner_(std::move(setup), lvm, *this) {}

Status ServiceLoop::run() {
  internal::ChildEvent ready;
  ready.mutable_ready();
  if (auto sent = channels_.control.send(ready); !sent) return sent;
  owner_.resume();
  postpone_trim();
  // The first state is sent before any repair.
  if (auto sent = report(); !sent) return sent;
  owner_.start_backups();

  for (;;) {
    const auto next = next_event();
    if (next && *next == Next::kContinue) continue;
    owner_.finish();
    return next ? Status{} : std::unexpected(next.error());
  }
}

Result<ServiceLoop::Next> ServiceLoop::next_event() {
  if (!deferred_.empty()) {
    const internal::WorkerRequest request = std::move(deferred_.front());
    deferred_.pop_front();
    return handle(request);
  }
  std::array<pollfd, 3> polled{{
      {.fd = channels_.control.fd(), .events = POLLIN, .revents = 0},
      {.fd = channels_.server.fd(), .events = POLLIN, .revents = 0},
      {.fd = owner_.uevents_fd(), .events = POLLIN, .revents = 0},
  }};
  const auto due = owner_.due();
  if (::poll(polled.data(), polled.size(), limit_until(due)) < 0) {
    if (errno == EINTR) return Next::kContinue;
    return fail_errno(errno, "poll");
  }
  if (polled[2].revents != 0) owner_.receive_uevents();
  if (polled[0].revents == 0 && polled[1].revents == 0) {
    // If work became due during poll(), the next call does it.
    if (due == 0ms) return work();
    if (!due) trim();
    return Next::kContinue;
  }
  // After a reload the supervisor sends the configuration to the worker before the server. So the
  // configuration that a request needs is already in the control channel, although poll() may not
  // have reported it.
  auto next = drain_control();
  if (next && *next == Next::kContinue && polled[1].revents != 0) next = on_server();
  // Alternates between requests and other work, so that neither delays the other until its end.
  if (due == 0ms && next && *next == Next::kContinue) return work();
  return next;
}

int ServiceLoop::limit_until(std::optional<std::chrono::milliseconds> due) const {
  if (due) return static_cast<int>(due->count());
  if (!trim_due_) return -1;
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*trim_due_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::max(left, 0ms).count());
}

void ServiceLoop::postpone_trim() {
  trim_due_ = std::chrono::steady_clock::now() + kRestBeforeTrim;
}

void ServiceLoop::trim() {
  if (!trim_due_ || std::chrono::steady_clock::now() < *trim_due_) return;
  trim_due_.reset();
  // First, because the kernel takes no locked memory back.
  lvm::unlock_memory();
  // LVM's memory pools grow with the group: with 1,000 volumes this reduces 17 MB to 10 MB.
  trim_heap();
}

Result<ServiceLoop::Next> ServiceLoop::work() {
  postpone_trim();
  if (owner_.work())
    if (auto sent = report(); !sent) return std::unexpected(sent.error());
  return Next::kContinue;
}

Status ServiceLoop::report() {
  if (auto sent = send_hidden(owner_.hidden()); !sent) return sent;
  return send_state(owner_.group().read());
}

Result<ServiceLoop::Next> ServiceLoop::on_control() {
  auto frame = channels_.control.receive<internal::ControlFrame>();
  if (!frame) return std::unexpected(frame.error());
  if (!*frame) return Next::kStop;
  const internal::ControlFrame& message = (*frame)->message;
  if (message.has_configuration()) {
    if (auto taken = take_configuration(message.configuration()); !taken)
      return std::unexpected(taken.error());
    return Next::kContinue;
  }
  if (!message.has_ping())
    return fail(Code::kInternal, "unexpected control frame {}",
                static_cast<int>(message.frame_case()));
  internal::ChildEvent event;
  event.mutable_alive()->set_number(message.ping().number());
  if (auto sent = channels_.control.send(event); !sent) return std::unexpected(sent.error());
  return Next::kContinue;
}

Result<ServiceLoop::Next> ServiceLoop::drain_control() {
  for (;;) {
    const auto waiting = channels_.control.wait_readable(std::chrono::milliseconds{0});
    if (!waiting) return std::unexpected(waiting.error());
    if (!*waiting) return Next::kContinue;
    auto next = on_control();
    if (!next || *next == Next::kStop) return next;
  }
}

Status ServiceLoop::take_configuration(const internal::Configuration& configuration) {
  auto catalog = ipc::from_proto(configuration.catalog());
  if (!catalog) return std::unexpected(catalog.error());
  owner_.set_catalog(std::move(*catalog));
  internal::ChildEvent event;
  event.mutable_configured()->set_generation(configuration.generation());
  return channels_.control.send(event);
}

Result<ServiceLoop::Next> ServiceLoop::on_server() {
  auto frame = channels_.server.receive<internal::WorkerRequest>();
  if (!frame) return std::unexpected(frame.error());
  if (!*frame) return Next::kStop;
  return handle((*frame)->message);
}

Result<ServiceLoop::Next> ServiceLoop::handle(const internal::WorkerRequest& request) {
  if (request.has_hidden_acknowledged()) {
    if (unacknowledged_ > 0) --unacknowledged_;
    return Next::kContinue;
  }
  postpone_trim();
  if (request.has_recover()) return on_recover();
  ChangeOutcome outcome = execute(request);
  internal::WorkerEvent event;
  internal::WorkerReply& reply = *event.mutable_reply();
  reply.set_id(request.id());
  if (!outcome.volume)
    *reply.mutable_error() = ipc::to_proto(outcome.volume.error());
  else if (*outcome.volume)
    *reply.mutable_volume() = ipc::to_proto(**outcome.volume);
  else
    reply.mutable_removed();
  *reply.mutable_state() = states_.write(std::move(outcome.state));
  *reply.mutable_hidden() = to_message(owner_.hidden());
  // If the server has ended meanwhile, the change is done and the reply is dropped.
  if (!channels_.server.send(event)) return Next::kStop;
  failpoint("worker.replied");
  return Next::kContinue;
}

Result<ServiceLoop::Next> ServiceLoop::on_recover() {
  owner_.wake();
  if (owner_.group().access()) return Next::kContinue;
  if (!owner_.group().refresh_access()) return Next::kContinue;
  if (auto sent = report(); !sent) return std::unexpected(sent.error());
  return Next::kContinue;
}

ChangeOutcome ServiceLoop::execute(const internal::WorkerRequest& request) {
  switch (request.call_case()) {
    case internal::WorkerRequest::kCreate: {
      const auto& call = request.create();
      return owner_.create({.name = call.name(),
                            .device_class = call.device_class(),
                            .option_class = call.option_class(),
                            .tags = {call.tags().begin(), call.tags().end()},
                            .size = {call.size_bytes()},
                            .marks = {call.marks().begin(), call.marks().end()}});
    }
    case internal::WorkerRequest::kSnapshot: {
      const auto& call = request.snapshot();
      return owner_.snapshot({.name = call.name(),
                              .device_class = call.device_class(),
                              .source = call.source(),
                              .access_type = call.access_type(),
                              .tags = {call.tags().begin(), call.tags().end()},
                              .size = {call.size_bytes()},
                              .marks = {call.marks().begin(), call.marks().end()}});
    }
    case internal::WorkerRequest::kResize:
      return owner_.resize({.name = request.resize().name(),
                            .device_class = request.resize().device_class(),
                            .size = {request.resize().size_bytes()}});
    case internal::WorkerRequest::kRemove:
      return owner_.remove(
          {.name = request.remove().name(), .device_class = request.remove().device_class()});
    case internal::WorkerRequest::kTags: {
      const auto& call = request.tags();
      return owner_.change_tags({.name = call.name(),
                                 .device_class = call.device_class(),
                                 .add = {call.add().begin(), call.add().end()},
                                 .remove = {call.remove().begin(), call.remove().end()},
                                 .replace = {call.replace().begin(), call.replace().end()},
                                 .only_if_blank = call.if_blank()});
    }
    case internal::WorkerRequest::kHiddenAcknowledged:
    case internal::WorkerRequest::kRecover:
    case internal::WorkerRequest::CALL_NOT_SET:
      break;
  }
  return {.volume = fail(Code::kInvalidArgument, "a request without a call"),
          .state = owner_.group().read()};
}

Status ServiceLoop::send_state(model::VgState state) {
  internal::WorkerEvent event;
  *event.mutable_state() = states_.write(std::move(state));
  return channels_.server.send(event);
}

// Ignores errors: the loop detects a closed channel after the step.
void ServiceLoop::step_started(std::string_view what, std::optional<std::chrono::seconds> limit) {
  internal::WorkerEvent event;
  event.mutable_busy()->set_command(std::string{what});
  event.mutable_busy()->set_since(monotonic_now().nanoseconds);
  if (limit) event.mutable_busy()->set_limit_seconds(static_cast<std::uint32_t>(limit->count()));
  static_cast<void>(channels_.server.send(event));
  internal::ChildEvent busy;
  *busy.mutable_busy() = event.busy();
  static_cast<void>(channels_.control.send(busy));
}

void ServiceLoop::step_ended() {
  internal::WorkerEvent event;
  event.mutable_idle();
  static_cast<void>(channels_.server.send(event));
  internal::ChildEvent idle;
  idle.mutable_idle();
  static_cast<void>(channels_.control.send(idle));
}

Status ServiceLoop::send_hidden(const std::vector<std::string>& volumes) {
  internal::WorkerEvent event;
  *event.mutable_hidden() = to_message(volumes);
  ++unacknowledged_;
  return channels_.server.send(event);
}

void ServiceLoop::hidden_changed(const std::vector<std::string>& volumes) {
  if (!send_hidden(volumes)) return;
  // The server may not have acknowledged earlier lists yet.
  while (unacknowledged_ > 0) {
    const auto readable = channels_.server.wait_readable(kHideLimit);
    if (!readable || !*readable) return;
    auto frame = channels_.server.receive<internal::WorkerRequest>();
    if (!frame || !*frame) return;
    if ((*frame)->message.has_hidden_acknowledged())
      --unacknowledged_;
    else
      // A request that arrived during work between requests.
      deferred_.push_back(std::move((*frame)->message));
  }
}

}  // namespace lvmd::volumes::worker
