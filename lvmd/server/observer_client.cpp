#include "lvmd/server/observer_client.hpp"

#include <utility>

#include "internal/control.pb.h"
#include "lvmd/base/log.hpp"
#include "lvmd/channel/convert.hpp"
#include "lvmd/server/receive_or_rest.hpp"

namespace lvmd::server {

void ObserverClient::attach(channel::Channel channel) {
  detach();
  channel_ = std::move(channel);
  attached_ = true;
  reader_ = std::thread{[this] {
    read_events();
    attached_ = false;
    changed_();
  }};
  changed_();
}

void ObserverClient::detach() {
  if (!reader_.joinable()) return;
  channel_.shutdown();
  reader_.join();
}

void ObserverClient::read_events() {
  for (;;) {
    const auto received = receive_or_rest<internal::ObserverEvent>(channel_);
    if (!received) {
      log::error("the channel to the observer is broken: " + received.error().message);
      // The observer must see that nobody listens any more: then it ends and is started again.
      channel_.shutdown();
      return;
    }
    if (!*received) {
      log::notice("the observer has ended");
      return;
    }
    const internal::ObserverEvent& event = (*received)->message;
    auto state = channel::from_proto(event.state());
    if (state)
      read_model_.apply(std::move(*state));
    else
      log::error("dropped a state from the observer: " + state.error().message);
  }
}

}  // namespace lvmd::server
