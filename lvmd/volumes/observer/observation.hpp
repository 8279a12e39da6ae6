// The observer's state of its volume group. Decides when to read the group, when to query LVM, and
// whether a state is new.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_access.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/state/vg_reader.hpp"
#include "lvmd/volumes/observer/monitoring_schedule.hpp"
#include "lvmd/volumes/observer/pool_usage.hpp"

namespace lvmd::volumes::observer {

// The times that methods take are the current time; due times are absolute. One thread.
class Observation {
 public:
  Observation(std::string volume_group, std::string lvm_path);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<std::string>& devices() const { return access_.devices; }

  // Sets the answer of VgDiscovery. Marks the group to be read from these devices. After
  // DeadlineExceeded the next query is due without an event.
  void set_access(Result<model::VgAccess> access, Clock::time_point now);

  // Marks that the group may have changed. Reading is due at the end of the burst of events, and at
  // most 200 ms after the first one.
  void mark_changed(Clock::time_point now);
  // The same after a write to the group's devices, which may have damaged metadata [P-STATE-9].
  void mark_written(Clock::time_point now) {
    reader_.doubt_copies();
    mark_changed(now);
  }
  // The group's worker begins a change and will report the state after it. Postpones reading for
  // 500 ms, but at most until 700 ms after the first event, so that the worker and udev have the
  // processors.
  void postpone(Clock::time_point now);
  // When reading is due.
  [[nodiscard]] std::optional<Clock::time_point> due() const;

  // Reads the group. Returns the state, or the reason why LVM cannot use the group, if it differs
  // from the last returned one. While LVM's report is needed but fails, returns nothing: the last
  // state stays valid, and reading is due again [P-STATE-6]. `before_report`: as in
  // VgReader::read().
  [[nodiscard]] std::optional<model::VgState> read(Clock::time_point now,
                                                   const std::function<void()>& before_report = {});

  // A device has appeared or disappeared. Requests a query of LVM for the group's devices if the
  // group is absent, misses a device, or could not be read.
  void mark_devices_changed(Clock::time_point now);
  // Requests a query of LVM for the group's devices, at most every 500 ms.
  void request_discovery(Clock::time_point now);
  // True if the last query returned an error, for example because the group does not exist.
  [[nodiscard]] bool is_absent() const { return unavailable_.has_value(); }
  // True if the group is absent but probably exists: an earlier query found it, or LVM refuses it
  // because of duplicate PVs.
  [[nodiscard]] bool exists_unread() const {
    return is_absent() && (has_duplicates_ || !access_before_.devices.empty());
  }
  // The group's devices before it became absent; empty if no query has found it.
  [[nodiscard]] const std::vector<std::string>& former_devices() const {
    return access_before_.devices;
  }
  // When a query is due. Call discovery_begun() before it, and set_access() with its answer.
  [[nodiscard]] std::optional<Clock::time_point> discovery_due() const { return discovery_due_; }
  void discovery_begun(Clock::time_point now);

  // True if the device is a PV of the group, or a volume in the last state.
  [[nodiscard]] bool has_device(dev_t device) const;

  // True if the group has a thin pool, a RAID volume or a mirror. Their status changes without an
  // event.
  [[nodiscard]] bool changes_silently() const;
  // Compares their status with the last state. A difference marks the whole group to be read, so
  // that all parts of a state are from one moment (P-RUN-7).
  void check_status(const PoolQuery& pools, const RedundancyQuery& redundancy,
                    Clock::time_point now);

  // When a query is due which pools dmeventd monitors: after set_access(), when different pools are
  // active, and some time after a change. While nothing changes, none is due.
  [[nodiscard]] std::optional<Clock::time_point> monitoring_due() const {
    return monitoring_.due();
  }
  // The active pools of the last state, sorted.
  [[nodiscard]] const std::vector<std::string>& pools() const { return monitoring_.pools(); }
  // Sets the answer: the names of the pools that dmeventd does not monitor, sorted. A change marks
  // the group to be read. An error is logged, and the next query is due 10 s later.
  void set_unmonitored(const Result<std::vector<std::string>>& pools, Clock::time_point now);

  // The group's ID; empty while it is unknown.
  [[nodiscard]] std::string id() const;

 private:
  [[nodiscard]] std::optional<model::VgState> news(model::VgState state);
  // Marks the group to be read. It may be unchanged.
  void mark_unread(Clock::time_point now);

  std::string name_;
  state::VgReader reader_;
  model::VgAccess access_;
  // The answer of the last query that succeeded.
  model::VgAccess access_before_;
  // The last query found two devices with one PV ID.
  bool has_duplicates_ = false;
  // The next read() searches the devices of access_before_ for a new name of the group.
  bool may_be_renamed_ = false;
  std::set<dev_t> pv_numbers_;
  std::optional<Error> unavailable_;
  std::optional<Result<model::VolumeGroup>> last_;
  // The last read failed, and the last state is kept.
  bool stale_ = false;
  // When reading is due unless it is postponed.
  std::optional<Clock::time_point> due_;
  Clock::time_point first_mark_{};
  Clock::time_point postponed_until_ = Clock::time_point::min();
  // Due at once: a new observer queries LVM first.
  std::optional<Clock::time_point> discovery_due_ = Clock::time_point{};
  Clock::time_point last_discovery_{};
  MonitoringSchedule monitoring_;
};

}  // namespace lvmd::volumes::observer
