// Sends events to the API server, one after the other, on a thread of its own.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

#include "reconciler/kube/event_aggregator.hpp"
#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/kube_store.hpp"

namespace lvmd::reconciler::kube {

class EventSender {
 public:
  static constexpr std::size_t kMaxWaiting = 1000;
  // Limits the rate, so that a thousand objects that fail at once do not take the API server's time
  // from other clients.
  static constexpr std::chrono::milliseconds kPause{50};

  // `stop_fd`: as in HttpClient.
  EventSender(const KubeOptions& options, int stop_fd);

  // Never waits. The event is dropped while too many events wait [R-EVENT-2]. Safe from every
  // thread.
  void send(const LogicalVolume& object, const Event& event);

  // Ends the request in progress at once. Waiting events are dropped.
  void stop();

 private:
  struct Waiting {
    LogicalVolume object;
    Event event;
    EventAggregator::Time time;
  };

  void run(const std::stop_token& stop);
  void write(const Waiting& waiting);
  [[nodiscard]] Status write(const Waiting& waiting, const EventSeries& series);

  const KubeOptions options_;
  HttpClient http_;
  EventAggregator tracker_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Waiting> waiting_;
  bool refused_ = false;
  std::jthread thread_;
};

}  // namespace lvmd::reconciler::kube
