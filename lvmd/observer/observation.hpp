// What the observer knows of one volume group, and whether somebody should be told.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/channel/channel.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/observer/pool_usage.hpp"
#include "lvmd/state/vg_reader.hpp"

namespace lvmd::observer {

using Clock = std::chrono::steady_clock;

// One thread.
class Observation {
 public:
  Observation(std::string volume_group, std::string lvm_path);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] channel::Channel& worker() { return worker_; }
  [[nodiscard]] const std::vector<std::string>& devices() const { return access_.devices; }

  // A worker was started; it will send the group's devices.
  void attach(channel::Channel worker) { worker_ = std::move(worker); }
  void detach() { worker_ = {}; }

  // LVM's word on the group: its devices are read from now on, soon.
  void set_access(Result<model::VgAccess> access, Clock::time_point now);

  // Something may have changed: read at the end of the burst of events, at the latest a little
  // later.
  void mark_changed(Clock::time_point now);
  [[nodiscard]] std::optional<Clock::time_point> due() const { return due_; }

  // Reads the group. The state, when it differs from the one returned last; nothing while LVM knows
  // no such group: the worker has told the server so itself. Nothing either while a report that is
  // needed can't be had: then the last state stands, and reading is due again [P-STATE-6].
  [[nodiscard]] std::optional<model::VgState> read(Clock::time_point now);

  // A device came or went: LVM is asked again for the group's devices, where its answer may differ.
  void mark_devices_changed(Clock::time_point now);
  [[nodiscard]] std::optional<Clock::time_point> refresh_due() const { return refresh_due_; }
  // Asks the worker. Without a worker, its successor will tell unasked.
  void refresh_devices(Clock::time_point now);

  // The group has a thin pool, whose usage changes without an event.
  [[nodiscard]] bool has_pool() const;
  // Looks at each pool; a usage that has changed marks the group, so that it is read as a whole: a
  // state is always of one moment.
  void look_at_usage(const PoolLook& look, Clock::time_point now);

  // The group's id; empty while it is unknown.
  [[nodiscard]] std::string id() const;

 private:
  std::string name_;
  state::VgReader reader_;
  channel::Channel worker_;
  model::VgAccess access_;
  std::optional<Error> unavailable_;
  std::optional<Result<model::VolumeGroup>> last_;
  // The last state is kept although it could not be read again.
  bool stale_ = false;
  std::optional<Clock::time_point> due_;
  Clock::time_point first_mark_{};
  std::optional<Clock::time_point> refresh_due_;
  Clock::time_point last_refresh_{};
};

}  // namespace lvmd::observer
