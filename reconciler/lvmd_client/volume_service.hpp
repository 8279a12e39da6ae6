// The calls of lvmd that the reconciler uses. Codes and rules: docs/protocol.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/capacity.hpp"
#include "reconciler/model/inventory.hpp"
#include "reconciler/model/quantity.hpp"

namespace lvmd::reconciler {

// A volume's name and device class. An empty class is lvmd's default class.
struct VolumeName {
  std::string name;
  std::string device_class;
};

// A usable device class and its volume group.
struct ClassGroup {
  std::string device_class;
  std::string volume_group;
  // The class has a volume of the requested name.
  bool has_volume = false;
};

// Safe from every thread. Every call blocks until lvmd responds. A failed call returns lvmd's code
// and message; Unavailable when lvmd cannot be reached.
class VolumeService {
 public:
  VolumeService() = default;
  VolumeService(const VolumeService&) = delete;
  VolumeService& operator=(const VolumeService&) = delete;
  virtual ~VolumeService() = default;

  // All usable device classes with their volume groups, in the order of lvmd.yaml, and whether each
  // has a volume `name`. FailedPrecondition when lvmd does not report the group, which TopoLVM's
  // lvmd need not do.
  [[nodiscard]] virtual Result<std::vector<ClassGroup>> classes(const std::string& name) = 0;

  // The real size of the volume; absent when the class has no such volume.
  [[nodiscard]] virtual Result<std::optional<Bytes>> find(const VolumeName& volume) = 0;

  // The name of the default class; empty when there is none or lvmd cannot report it.
  [[nodiscard]] virtual Result<std::string> default_class() = 0;

  // All volumes of all usable classes.
  [[nodiscard]] virtual Result<Inventory> inventory() = 0;

  // Returns the real size. `option_class` may be empty. `owner` becomes the owner of a volume that
  // this call creates; empty: no owner. `restore`: the id of the restore that will fill the volume,
  // which no pod gets before that; empty: none. An lvmd without owners or marks ignores them.
  [[nodiscard]] virtual Result<Bytes> create(const VolumeName& volume,
                                             const std::string& option_class, Bytes size,
                                             const std::string& owner,
                                             const std::string& restore) = 0;

  // The same for a snapshot of the volume with the name `source`. `access_type` is "ro" or "rw".
  [[nodiscard]] virtual Result<Bytes> create_snapshot(const VolumeName& volume,
                                                      const std::string& source,
                                                      const std::string& access_type, Bytes size,
                                                      const std::string& owner) = 0;

  // Returns the real size after the resize. Never shrinks.
  [[nodiscard]] virtual Result<Bytes> resize(const VolumeName& volume, Bytes size) = 0;

  // Sets the volume's owner; empty: removes it. Unimplemented by an lvmd without owners.
  [[nodiscard]] virtual Status set_owner(const VolumeName& volume, const std::string& owner) = 0;

  // NotFound when the volume does not exist.
  [[nodiscard]] virtual Status remove(const VolumeName& volume) = 0;

  // Calls `seen` with the current capacity and after each change. Returns when lvmd ends the
  // stream, becomes unavailable, or does not report a first state for a while.
  using CapacityCallback = std::function<void(const Capacity&)>;
  [[nodiscard]] virtual Status watch(const CapacityCallback& seen) = 0;

  // Ends every call in progress, and all later ones, with Cancelled. lvmd finishes its work
  // nevertheless.
  virtual void cancel() = 0;
};

}  // namespace lvmd::reconciler
