// The observer's loop: receives events of one volume group and sends states. The events are
// inotify's, after a PV was closed after writing, and uevents of device-mapper devices. Thin usage,
// the condition of a pool, redundancy and a disk that hangs cause no event. So every 5 s the loop
// also reads the start of each PV (P-STATE-8) and checks the status of each thin pool, RAID volume
// and mirror. If a status differs, it reads the whole group.
//
// Only the observer verifies all copies of the metadata, and only the observer queries which pools
// dmeventd monitors. The worker must be fast.
//
// The loop reports every step that waits for a disk or for LVM to the server before the step
// begins: afterwards a hanging observer could not report it.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "internal/control.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/devmapper/device_mapper.hpp"
#include "lvmd/devmapper/pv_watch.hpp"
#include "lvmd/devmapper/uevent_listener.hpp"
#include "lvmd/ipc/channel.hpp"
#include "lvmd/ipc/state_stream.hpp"
#include "lvmd/state/vg_discovery.hpp"
#include "lvmd/volumes/observer/disk_sizes.hpp"
#include "lvmd/volumes/observer/group_search.hpp"
#include "lvmd/volumes/observer/observation.hpp"

namespace lvmd::volumes::observer {

class ObserverLoop {
 public:
  ObserverLoop(const internal::ObserverSetup& setup, ipc::Channel control, ipc::Channel server,
               devmapper::UeventListener uevents, devmapper::PvWatch pv_watch);

  // Runs until the supervisor or the server closes its channel. An Error if the first message
  // cannot be sent or poll(2) fails. Call once.
  [[nodiscard]] Status run();

 private:
  [[nodiscard]] Status wait_for_events();
  void on_control();
  void on_server();
  void on_pv_written();
  void on_uevents();
  // True if LVM may answer a query for the group differently after this event.
  [[nodiscard]] bool is_about_devices(const devmapper::BlockEvent& event);
  // True if the device may have become, or may no longer be, a duplicate of a PV.
  [[nodiscard]] bool is_about_duplicates(const devmapper::BlockEvent& event);
  // Does everything that is due, and sends a new state.
  void work();
  void discover();
  // Queries which pools dmeventd monitors.
  void query_monitoring();
  // Reads the first 4 KiB of each PV.
  void probe();
  void push(model::VgState state);
  void watch_candidates(std::span<const devmapper::BlockEvent> events);
  void watch_devices();
  [[nodiscard]] int timeout() const;

  // Reports a step to the server for its lifetime, and a slow one to the supervisor too.
  class Step;
  void send_to_server(const internal::ObserverEvent& event);
  void send_to_supervisor(const internal::ChildEvent& event);

  ipc::Channel control_;
  ipc::Channel server_;
  // Of server_.
  ipc::StateWriter states_;
  devmapper::UeventListener uevents_;
  devmapper::PvWatch pv_watch_;
  std::vector<std::string> lvm_;
  state::VgDiscovery discovery_;
  Observation observation_;
  GroupSearch search_;
  // While the group is absent: its former devices, and each device that has had an event. The
  // observer watches them itself, because udevd loses writes to a device while it handles an event
  // of the device.
  std::set<std::string> candidates_;
  DiskSizes disk_sizes_;
  devmapper::DeviceMapper device_mapper_;
  Clock::time_point last_check_;
  // PVs that the last probe() could not read.
  std::vector<std::string> unreadable_;
  std::optional<Clock::time_point> trim_due_;
  bool stopping_ = false;
};

}  // namespace lvmd::volumes::observer
