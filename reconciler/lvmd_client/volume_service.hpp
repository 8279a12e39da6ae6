// What the reconciler asks of lvmd. Codes and rules: docs/protocol.md.
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

// A volume by its name and device class; an empty class is lvmd's default class.
struct VolumeName {
  std::string name;
  std::string device_class;
};

// A usable device class, and the volume group that it is in.
struct ClassGroup {
  std::string device_class;
  std::string volume_group;
  // It has a volume of the name that was asked for.
  bool has_volume = false;
};

// Every call may be made from every thread, blocks until lvmd answers, and answers lvmd's code and
// message on failure; Unavailable when lvmd can't be reached.
class VolumeService {
 public:
  VolumeService() = default;
  VolumeService(const VolumeService&) = delete;
  VolumeService& operator=(const VolumeService&) = delete;
  virtual ~VolumeService() = default;

  // Every usable device class with its volume group, in the order of lvmd.yaml, and whether it has
  // a volume `name`. FailedPrecondition when lvmd doesn't tell the group, as TopoLVM's lvmd may
  // not.
  [[nodiscard]] virtual Result<std::vector<ClassGroup>> classes(const std::string& name) = 0;

  // The real size of the volume, or nothing when the class has no such volume.
  [[nodiscard]] virtual Result<std::optional<Bytes>> find(const VolumeName& volume) = 0;

  // The name of the default class; empty when there is none, or lvmd can't tell it.
  [[nodiscard]] virtual Result<std::string> default_class() = 0;

  // All volumes of all usable classes.
  [[nodiscard]] virtual Result<Inventory> inventory() = 0;

  // The real size. `option_class` may be empty. `owner` becomes the volume's owner when it is made
  // now; empty: none, and so it is with an lvmd that knows no owners.
  [[nodiscard]] virtual Result<Bytes> create(const VolumeName& volume,
                                             const std::string& option_class, Bytes size,
                                             const std::string& owner) = 0;

  // The same for a snapshot of `source`, which is a volume's name; `access_type` is "ro" or "rw".
  [[nodiscard]] virtual Result<Bytes> create_snapshot(const VolumeName& volume,
                                                      const std::string& source,
                                                      const std::string& access_type, Bytes size,
                                                      const std::string& owner) = 0;

  // The real size afterwards; never shrinks.
  [[nodiscard]] virtual Result<Bytes> resize(const VolumeName& volume, Bytes size) = 0;

  // Makes `owner` the volume's owner, in the place of any other; empty: it has none afterwards.
  // Unimplemented by an lvmd that knows no owners.
  [[nodiscard]] virtual Status set_owner(const VolumeName& volume, const std::string& owner) = 0;

  // NotFound when it is gone already.
  [[nodiscard]] virtual Status remove(const VolumeName& volume) = 0;

  // Calls `seen` with the capacity as it is now, and again whenever it changes. Returns when lvmd
  // ends that, goes away, or doesn't tell it for the first time within a while.
  using Seen = std::function<void(const Capacity&)>;
  [[nodiscard]] virtual Status watch(const Seen& seen) = 0;

  // Ends every call under way with Cancelled, and all later ones. lvmd finishes what it began.
  virtual void cancel() = 0;
};

}  // namespace lvmd::reconciler
