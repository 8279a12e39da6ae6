#include "tests/fakes/fake_worker.hpp"

#include <utility>

#include "lvmd/base/clock.hpp"
#include "lvmd/base/log.hpp"
#include "lvmd/ipc/convert.hpp"

namespace lvmd::fakes {

void FakeWorker::start(ipc::Channel server) {
  die();
  server_ = std::move(server);
  dying_ = false;
  thread_ = std::thread{[this] { serve(); }};
}

void FakeWorker::die() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock{mutex_};
    dying_ = true;
    changed_.notify_all();
  }
  server_.shutdown();
  thread_.join();
}

void FakeWorker::hold() {
  const std::lock_guard lock{mutex_};
  held_ = true;
}

void FakeWorker::release() {
  const std::lock_guard lock{mutex_};
  held_ = false;
  changed_.notify_all();
}

void FakeWorker::fail_next(Error error) {
  const std::lock_guard lock{mutex_};
  failure_ = std::move(error);
}

bool FakeWorker::wait_for_requests(std::size_t count, std::chrono::milliseconds limit) {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, limit, [&] { return requests_ >= count; });
}

std::size_t FakeWorker::requests() {
  const std::lock_guard lock{mutex_};
  return requests_;
}

Status FakeWorker::send(const internal::WorkerEvent& event) {
  const std::lock_guard lock{send_mutex_};
  return server_.send(event);
}

Status FakeWorker::announce_busy(const std::string& command, std::chrono::seconds duration) {
  internal::WorkerEvent event;
  event.mutable_busy()->set_command(command);
  event.mutable_busy()->set_since(monotonic_now().nanoseconds -
                                  std::chrono::nanoseconds{duration}.count());
  return send(event);
}

Status FakeWorker::announce_idle() {
  internal::WorkerEvent event;
  event.mutable_idle();
  return send(event);
}

Status FakeWorker::hide(std::vector<std::string> volumes) {
  internal::WorkerEvent event;
  event.mutable_hidden()->mutable_names()->Assign(volumes.begin(), volumes.end());
  {
    const std::lock_guard lock{mutex_};
    hidden_ = std::move(volumes);
  }
  return send(event);
}

bool FakeWorker::wait_for_hidden_acknowledged(std::size_t count, std::chrono::milliseconds limit) {
  std::unique_lock lock{mutex_};
  return changed_.wait_for(lock, limit, [&] { return hidden_acknowledged_ >= count; });
}

void FakeWorker::serve() {
  for (;;) {
    const auto received = server_.receive<internal::WorkerRequest>();
    if (!received) return log::error("fake worker: " + received.error().message);
    if (!*received) return;
    {
      std::unique_lock lock{mutex_};
      // The fake leaves no incomplete change.
      if ((*received)->message.has_recover()) continue;
      if ((*received)->message.has_hidden_acknowledged()) {
        ++hidden_acknowledged_;
        changed_.notify_all();
        continue;
      }
      ++requests_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return dying_ || !held_; });
      if (dying_) return;
    }
    if (const auto answered = answer((*received)->message); !answered)
      return log::error("fake worker: " + answered.error().message);
  }
}

Status FakeWorker::answer(const internal::WorkerRequest& request) {
  std::optional<Error> failure;
  {
    const std::lock_guard lock{mutex_};
    failure = std::exchange(failure_, std::nullopt);
  }
  const Result<std::optional<model::LogicalVolume>> outcome =
      failure ? std::unexpected(std::move(*failure)) : vg_.apply(request);
  internal::WorkerEvent event;
  internal::WorkerReply& reply = *event.mutable_reply();
  reply.set_id(request.id());
  if (!outcome)
    *reply.mutable_error() = ipc::to_proto(outcome.error());
  else if (*outcome)
    *reply.mutable_volume() = ipc::to_proto(**outcome);
  else
    reply.mutable_removed();
  *reply.mutable_state() = ipc::to_proto(vg_.state());
  {
    const std::lock_guard lock{mutex_};
    reply.mutable_hidden()->mutable_names()->Assign(hidden_.begin(), hidden_.end());
  }
  return send(event);
}

}  // namespace lvmd::fakes
