// What the observer knows of its volume group, and whether the server should be told.
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
#include "lvmd/volumes/observer/pool_usage.hpp"

namespace lvmd::volumes::observer {

using Clock = std::chrono::steady_clock;

// One thread.
class Observation {
 public:
  Observation(std::string volume_group, std::string lvm_path);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<std::string>& devices() const { return access_.devices; }

  // What VgDiscovery answered: the group's devices are read from now on, soon. When LVM could not
  // answer in time (DeadlineExceeded) it is due to be asked again, without an event.
  void set_access(Result<model::VgAccess> access, Clock::time_point now);

  // Something may have changed: read at the end of the burst of events, at the latest a little
  // later.
  void mark_changed(Clock::time_point now);
  // The same after somebody wrote to the group's devices, perhaps over its metadata [P-STATE-9].
  void mark_written(Clock::time_point now) {
    reader_.doubt_copies();
    mark_changed(now);
  }
  [[nodiscard]] std::optional<Clock::time_point> due() const { return due_; }

  // Reads the group, or says why LVM does not let it be read. The state, when it differs from the
  // one returned last. Nothing while a report that is needed can't be had: then the last state
  // stands, and reading is due again [P-STATE-6]. `before_report` is as in VgReader::read().
  [[nodiscard]] std::optional<model::VgState> read(Clock::time_point now,
                                                   const std::function<void()>& before_report = {});

  // A device came or went: LVM is to be asked again for the group's devices, where its answer may
  // differ.
  void mark_devices_changed(Clock::time_point now);
  // LVM is to be asked again in any case.
  void request_discovery(Clock::time_point now);
  // LVM let nothing of the group be read: it does not exist, as far as is known.
  [[nodiscard]] bool is_absent() const { return unavailable_.has_value(); }
  // It is absent and exists all the same, as far as is known: it could be read before, or LVM
  // refuses it for its duplicate PVs.
  [[nodiscard]] bool exists_unread() const {
    return is_absent() && (has_duplicates_ || !access_before_.devices.empty());
  }
  // When LVM is to be asked; set_access() has its answer.
  [[nodiscard]] std::optional<Clock::time_point> discovery_due() const { return discovery_due_; }
  void discovery_begun(Clock::time_point now);

  // The removal of this device concerns the group: a PV, or a volume that the last state showed.
  [[nodiscard]] bool has_device(dev_t device) const;

  // The group has a thin pool, a RAID volume or a mirror, which change without an event.
  [[nodiscard]] bool changes_silently() const;
  // Looks at each of them; what has changed marks the group, so that it is read as a whole: a state
  // is always of one moment.
  void look(const PoolLook& pools, const RedundancyLook& redundancy, Clock::time_point now);

  // When LVM is to be asked which pools dmeventd watches: after a new answer on the devices and
  // when other pools are active, and some time after a change. No clock asks for it while nothing
  // changes.
  [[nodiscard]] std::optional<Clock::time_point> monitoring_due() const { return monitoring_due_; }
  // The pools that are active, sorted, by the last state.
  [[nodiscard]] const std::vector<std::string>& pools() const { return pools_; }
  // What came of it: names of the pools that dmeventd doesn't watch, sorted. The group is marked
  // when they are others than before; an error changes nothing.
  void set_unmonitored(const Result<std::vector<std::string>>& pools, Clock::time_point now);

  // The group's id; empty while it is unknown.
  [[nodiscard]] std::string id() const;

 private:
  [[nodiscard]] std::optional<model::VgState> news(model::VgState state);
  void schedule_monitoring_query(Clock::time_point at);

  std::string name_;
  state::VgReader reader_;
  model::VgAccess access_;
  // The last one with which LVM knew the group.
  model::VgAccess access_before_;
  // LVM's last answer: two devices have one PV id.
  bool has_duplicates_ = false;
  // The devices before are still to be searched for a new name of the group.
  bool may_be_renamed_ = false;
  std::set<dev_t> pv_numbers_;
  std::optional<Error> unavailable_;
  std::optional<Result<model::VolumeGroup>> last_;
  // The last state is kept although it could not be read again.
  bool stale_ = false;
  std::optional<Clock::time_point> due_;
  Clock::time_point first_mark_{};
  // At once: a new observer asks LVM first.
  std::optional<Clock::time_point> discovery_due_ = Clock::time_point{};
  Clock::time_point last_discovery_{};
  std::vector<std::string> pools_;
  std::optional<std::vector<std::string>> unmonitored_;
  std::optional<Clock::time_point> monitoring_due_;
  Clock::time_point last_monitoring_{};
};

}  // namespace lvmd::volumes::observer
