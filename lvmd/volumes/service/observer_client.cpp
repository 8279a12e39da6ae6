#include "lvmd/volumes/service/observer_client.hpp"

#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/receive_or_trim.hpp"

namespace lvmd::volumes {
namespace {

using std::chrono_literals::operator""ms;

// Less than half of the time for which an observer postpones its reading.
constexpr auto kAnnouncementInterval = 200ms;

}  // namespace

void ObserverClient::attach(ipc::Channel channel) {
  detach();
  {
    const std::lock_guard lock{mutex_};
    channel_ = std::move(channel);
    states_ = {};
    announced_ = {};
    attached_ = true;
  }
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

void ObserverClient::announce_change() {
  const std::lock_guard lock{mutex_};
  const MonotonicTime now = monotonic_now();
  if (!attached_ || now - announced_ < kAnnouncementInterval) return;
  announced_ = now;
  internal::ObserverRequest request;
  request.mutable_change_begun();
  // If the observer has ended, it competes with nobody.
  static_cast<void>(channel_.send(request));
}

void ObserverClient::read_events() {
  for (;;) {
    const auto received = receive_or_trim<internal::ObserverEvent>(channel_);
    if (!received) {
      log::error(fmt::format("the channel to the observer of volume group {} is broken: {}",
                             volume_group_, received.error().message),
                 {{log::kVg, volume_group_}});
      // The observer ends when its channel closes, and is started again.
      channel_.shutdown();
      return end_step();
    }
    if (!*received) {
      log::notice(fmt::format("the observer of volume group {} has ended", volume_group_),
                  {{log::kVg, volume_group_}});
      return end_step();
    }
    handle((*received)->message);
  }
}

void ObserverClient::handle(const internal::ObserverEvent& event) {
  switch (event.event_case()) {
    case internal::ObserverEvent::kBusy:
      step_.begin(event.busy());
      return step_begun_();
    case internal::ObserverEvent::kIdle:
      return end_step();
    case internal::ObserverEvent::kState:
      return take_state(event.state());
    case internal::ObserverEvent::EVENT_NOT_SET:
      break;
  }
  log::warning("dropped an unknown event of the observer", {{log::kVg, volume_group_}});
}

void ObserverClient::take_state(const internal::VgState& state) {
  auto read = states_.read(state);
  if (read && read->name == volume_group_) return read_model_.apply(std::move(*read));
  log::error(
      fmt::format("cannot use a state from the observer of volume group {}: {}", volume_group_,
                  read ? "it belongs to " + read->name : read.error().message),
      {{log::kVg, volume_group_}});
  // Later states may depend on this one. The observer ends when its channel closes, and is started
  // again.
  channel_.shutdown();
}

void ObserverClient::end_step() {
  const auto ended = step_.end();
  if (ended && ended->is_stuck(monotonic_now())) changed_();
}

}  // namespace lvmd::volumes
