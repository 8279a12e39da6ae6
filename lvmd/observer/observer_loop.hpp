// The observer's loop: events in, states out. Nothing runs while nothing happens, but for one look
// at each thin pool's usage every few seconds.
#pragma once

#include <chrono>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/channel/channel.hpp"
#include "lvmd/devmapper/device_mapper.hpp"
#include "lvmd/devmapper/pv_watch.hpp"
#include "lvmd/devmapper/uevent_listener.hpp"
#include "lvmd/observer/observation.hpp"

namespace lvmd::observer {

class ObserverLoop {
 public:
  ObserverLoop(const internal::ObserverSetup& setup, channel::Channel control,
               channel::Channel server, devmapper::UeventListener uevents,
               devmapper::PvWatch pv_watch);

  // Until the supervisor or the server closes its channel. An Error when a channel breaks
  // otherwise.
  [[nodiscard]] Status run();

 private:
  [[nodiscard]] Status wait_for_events();
  void on_control();
  void on_worker_attached(const std::string& volume_group, UniqueFd channel);
  void on_configuration(const internal::Configuration& configuration);
  void on_devices(Observation& observation);
  void on_pv_written();
  void on_uevents();
  // Reads what is due and pushes what is news.
  void read_due();
  void push(const model::VgState& state);
  void watch_devices();
  [[nodiscard]] int timeout() const;

  const std::string lvm_path_;
  channel::Channel control_;
  channel::Channel server_;
  devmapper::UeventListener uevents_;
  devmapper::PvWatch pv_watch_;
  // A list: poll results refer to its elements while it doesn't change.
  std::list<Observation> observations_;
  devmapper::DeviceMapper device_mapper_;
  Clock::time_point last_usage_check_;
  std::optional<Clock::time_point> trim_due_;
  bool leaving_ = false;
};

}  // namespace lvmd::observer
