// Reads the state of the worker's group from the devices that LVM's query returned.
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
  // `lvm`: the command that runs the lvm program, as for VgDiscovery. `lvm_path`: the lvm program,
  // for its report.
  GroupReader(std::string volume_group, std::vector<std::string> lvm, std::string lvm_path,
              WorkerEventSink& events);

  // Queries LVM for the group's devices and system ID (P-STATE-7). Unavailable if LVM cannot use
  // the group or does not answer in time.
  [[nodiscard]] Result<model::VgAccess> refresh_access();
  // The result of the last query.
  [[nodiscard]] const Result<model::VgAccess>& access() const { return access_; }

  // Reads the group; reads only the metadata's header if nothing has changed. Queries LVM again if
  // the last query failed or a PV is missing.
  [[nodiscard]] model::VgState read();

  // The metadata of the last read, as LVM has committed it. Null if it is not known.
  [[nodiscard]] const std::shared_ptr<const std::string>& text() const { return reader_.text(); }

 private:
  std::string volume_group_;
  WorkerEventSink& events_;
  state::VgDiscovery discovery_;
  state::VgReader reader_;
  Result<model::VgAccess> access_;
  // The result of the last query that succeeded.
  model::VgAccess access_before_;
};

}  // namespace lvmd::volumes::worker
