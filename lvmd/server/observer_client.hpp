// The server's side of the observer: takes the states that it pushes.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <utility>

#include "lvmd/channel/channel.hpp"
#include "lvmd/server/read_model.hpp"

namespace lvmd::server {

// For one thread but is_attached(), which is for all. While no observer is attached the last states
// are served.
class ObserverClient {
 public:
  // `changed` is called after an observer was attached or lost.
  ObserverClient(ReadModel& read_model, std::function<void()> changed)
      : read_model_(read_model), changed_(std::move(changed)) {}
  ObserverClient(const ObserverClient&) = delete;
  ObserverClient& operator=(const ObserverClient&) = delete;
  ~ObserverClient() { detach(); }

  // Reads from this observer from now on.
  void attach(channel::Channel channel);
  void detach();
  [[nodiscard]] bool is_attached() const { return attached_; }

 private:
  void read_events();

  ReadModel& read_model_;
  const std::function<void()> changed_;
  std::atomic<bool> attached_ = false;
  channel::Channel channel_;
  std::thread reader_;
};

}  // namespace lvmd::server
