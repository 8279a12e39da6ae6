// What the observer knows of one volume group, and whether somebody should be told.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/channel/channel.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/state/vg_reader.hpp"

namespace lvmd::observer {

using Clock = std::chrono::steady_clock;

// One thread.
class Observation {
 public:
  Observation(std::string volume_group, std::string lvm_path);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] channel::Channel& worker() { return worker_; }
  [[nodiscard]] const std::vector<std::string>& devices() const { return devices_; }

  // A worker was started; it will send the group's devices.
  void attach(channel::Channel worker) { worker_ = std::move(worker); }
  void detach() { worker_ = {}; }

  // LVM's word on the devices: they are read from now on, soon.
  void set_devices(Result<std::vector<std::string>> devices, Clock::time_point now);

  // Something may have changed: read at the end of the burst of events, at the latest a little
  // later.
  void mark_changed(Clock::time_point now);
  [[nodiscard]] std::optional<Clock::time_point> due() const { return due_; }

  // Reads the group. The state, when it differs from the one returned last; nothing while LVM knows
  // no such group: the worker has told the server so itself.
  [[nodiscard]] std::optional<model::VgState> read(Clock::time_point now);

  // A device came or went: LVM is asked again for the group's devices, where its answer may differ.
  void mark_devices_changed(Clock::time_point now);
  [[nodiscard]] std::optional<Clock::time_point> refresh_due() const { return refresh_due_; }
  // Asks the worker. Without a worker, its successor will tell unasked.
  void refresh_devices(Clock::time_point now);

  // The group has a thin pool, whose usage changes without an event.
  [[nodiscard]] bool has_pool() const;

  // The group's id; empty while it is unknown.
  [[nodiscard]] std::string id() const;

 private:
  std::string name_;
  state::VgReader reader_;
  channel::Channel worker_;
  std::vector<std::string> devices_;
  std::optional<Error> unavailable_;
  std::optional<Result<model::VolumeGroup>> last_;
  std::optional<Clock::time_point> due_;
  Clock::time_point first_mark_{};
  std::optional<Clock::time_point> refresh_due_;
  Clock::time_point last_refresh_{};
};

}  // namespace lvmd::observer
