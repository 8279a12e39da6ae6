// The group's state as its worker reads it: with the devices that LVM names when asked.
#pragma once

#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/state/vg_discovery.hpp"
#include "lvmd/state/vg_reader.hpp"
#include "lvmd/volumes/worker/event_sink.hpp"

namespace lvmd::volumes::worker {

// One thread.
class GroupReader {
 public:
  // `lvm` runs LVM's program, as VgDiscovery has it; `lvm_path` is for LVM's report.
  GroupReader(std::string volume_group, std::vector<std::string> lvm, std::string lvm_path,
              WorkerEventSink& events);

  // How LVM gets at the group, asked now (P-STATE-3).
  [[nodiscard]] Result<model::VgAccess> refresh_access();
  // The same as last asked for.
  [[nodiscard]] const Result<model::VgAccess>& access() const { return access_; }

  // Reads the group: its header only, when nothing changed.
  [[nodiscard]] model::VgState read();

 private:
  std::string volume_group_;
  WorkerEventSink& events_;
  state::VgDiscovery discovery_;
  state::VgReader reader_;
  Result<model::VgAccess> access_;
  // The last one with which LVM knew the group.
  model::VgAccess access_before_;
};

}  // namespace lvmd::volumes::worker
