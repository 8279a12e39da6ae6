// The server's side of the observer: takes the states that it pushes.
#pragma once

#include <thread>

#include "lvmd/channel/channel.hpp"
#include "lvmd/server/read_model.hpp"

namespace lvmd::server {

// For one thread. While no observer is attached the last states are served.
class ObserverClient {
 public:
  explicit ObserverClient(ReadModel& read_model) : read_model_(read_model) {}
  ObserverClient(const ObserverClient&) = delete;
  ObserverClient& operator=(const ObserverClient&) = delete;
  ~ObserverClient() { disconnect(); }

  // Reads from this observer from now on.
  void attach(channel::Channel channel);

 private:
  void disconnect();
  void read_events();

  ReadModel& read_model_;
  channel::Channel channel_;
  std::thread reader_;
};

}  // namespace lvmd::server
