// The observer's loop: events in, states out, for one volume group. Between events it does two
// things every few seconds: it reads the start of each PV, so that an idle group is known to be
// alive, and it looks at the status of each thin pool, RAID volume and mirror.
//
// Every step that waits for a disk or for LVM is announced to the server before it begins: an
// observer that hangs in it can't say so afterwards.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/devmapper/device_mapper.hpp"
#include "lvmd/devmapper/pv_watch.hpp"
#include "lvmd/devmapper/uevent_listener.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/state/vg_discovery.hpp"
#include "lvmd/volumes/observer/disk_sizes.hpp"
#include "lvmd/volumes/observer/group_search.hpp"
#include "lvmd/volumes/observer/observation.hpp"

namespace lvmd::volumes::observer {

class ObserverLoop {
 public:
  ObserverLoop(const internal::ObserverSetup& setup, ipc::Channel control, ipc::Channel server,
               devmapper::UeventListener uevents, devmapper::PvWatch pv_watch);

  // Until the supervisor or the server closes its channel. An Error when a channel breaks
  // otherwise.
  [[nodiscard]] Status run();

 private:
  [[nodiscard]] Status wait_for_events();
  void on_control();
  void on_pv_written();
  void on_uevents();
  // LVM's answer about the group may be another one after this event.
  [[nodiscard]] bool is_about_devices(const devmapper::BlockEvent& event);
  // A device may be a duplicate of a PV, or be none any more.
  [[nodiscard]] bool is_about_duplicates(const devmapper::BlockEvent& event);
  // Asks, probes, reads what is due, and pushes what is news.
  void work();
  void discover();
  // Asks LVM which pools dmeventd watches.
  void query_monitoring();
  // Reads the start of each PV.
  void probe();
  void push(const model::VgState& state);
  void watch_devices();
  [[nodiscard]] int timeout() const;

  // Tells the server of a step for as long as it lives.
  class Step;
  void send_to_server(const internal::ObserverEvent& event);
  void send_to_supervisor(const internal::ChildEvent& event);

  ipc::Channel control_;
  ipc::Channel server_;
  devmapper::UeventListener uevents_;
  devmapper::PvWatch pv_watch_;
  std::vector<std::string> lvm_;
  state::VgDiscovery discovery_;
  Observation observation_;
  GroupSearch search_;
  DiskSizes disk_sizes_;
  devmapper::DeviceMapper device_mapper_;
  Clock::time_point last_look_;
  // PVs that could not be read at the last look.
  std::vector<std::string> unreadable_;
  std::optional<Clock::time_point> trim_due_;
  bool stopping_ = false;
};

}  // namespace lvmd::volumes::observer
