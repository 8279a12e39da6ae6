#include "reconciler/kube/event_sender.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "lvmd/base/log.hpp"
#include "reconciler/kube/event_json.hpp"
#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

EventSender::EventSender(const KubeOptions& options, int stop_fd)
    : options_(options),
      http_(options, stop_fd),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void EventSender::send(const LogicalVolume& object, const Event& event) {
  const std::lock_guard lock{mutex_};
  if (waiting_.size() >= kMaxWaiting) return;
  waiting_.push_back({object, event, std::chrono::system_clock::now()});
  changed_.notify_one();
}

void EventSender::stop() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void EventSender::run(const std::stop_token& stop) {
  std::unique_lock lock{mutex_};
  while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) {
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    write(next);
    lock.lock();
    static_cast<void>(changed_.wait_for(lock, stop, kPause, [] { return false; }));
    if (stop.stop_requested()) return;
  }
}

// An event informs people and is not retried: the status has the same message.
void EventSender::write(const Waiting& waiting) {
  const auto series = tracker_.note(waiting.object, waiting.event, waiting.time);
  if (!series) return;
  Status written = write(waiting, *series);
  if (!written && written.error().code == Code::kNotFound && series->exists) {
    tracker_.forget(waiting.object, waiting.event);
    if (const auto fresh = tracker_.note(waiting.object, waiting.event, waiting.time))
      written = write(waiting, *fresh);
  }
  if (written) {
    refused_ = false;
    return;
  }
  tracker_.forget(waiting.object, waiting.event);
  if (written.error().code != Code::kCancelled && !std::exchange(refused_, true))
    log::warning(fmt::format("events cannot be written: {}", describe(written.error())));
}

Status EventSender::write(const Waiting& waiting, const EventSeries& series) {
  const HttpRequest request = series.exists
                                  ? HttpRequest{.method = "PATCH",
                                                .path = event_path(series.name),
                                                .body = event_patch(waiting.event, series)}
                                  : HttpRequest{.method = "POST",
                                                .path = events_path(),
                                                .body = new_event(waiting.object, waiting.event,
                                                                  series, options_.node_name)};
  const auto body = body_of(http_.send(request));
  if (!body) return std::unexpected(body.error());
  return {};
}

}  // namespace lvmd::reconciler::kube
