// The one seam to the place where LogicalVolume objects live.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/capacity.hpp"
#include "reconciler/model/event.hpp"
#include "reconciler/model/inventory.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// Offers the objects of this node only [R-NODE-1], as they were last seen. Every function may be
// called from every thread, but not two writes of one object at the same time.
//
// Writes answer the object as it is afterwards, or an Error:
//   kNotFound  the object is gone
//   kAborted   somebody else changed the object meanwhile; nothing was written, reread() has the
//   newer others     nothing is known to be written; worth trying again
class VolumeStore {
 public:
  using Changed = std::function<void(const Key&)>;

  VolumeStore() = default;
  VolumeStore(const VolumeStore&) = delete;
  VolumeStore& operator=(const VolumeStore&) = delete;
  virtual ~VolumeStore() = default;

  // Begins to follow the objects. From then on `changed` is called, on threads of the store, for
  // every object that came, changed or went, at least once after its last change.
  [[nodiscard]] virtual Status start(Changed changed) = 0;

  // Ends what start() began and every write under way, at once; they answer kCancelled.
  virtual void stop() = 0;

  // All objects are known, as far as the place where they live can be asked [R-SERVE-3].
  [[nodiscard]] virtual bool is_ready() const = 0;

  [[nodiscard]] virtual std::vector<Key> keys() const = 0;

  // Of every object that has a volume's name, also of those that get() doesn't offer. Absent while
  // there may be others that are not known: then no volume is known to be nobody's.
  [[nodiscard]] virtual std::optional<std::vector<Claim>> claims() const = 0;

  // The names of the volumes of all objects that there are this moment, of whatever node and state:
  // asked for anew, and unfiltered. An Error when any may be missing.
  [[nodiscard]] virtual Result<std::set<std::string>> all_volume_names() = 0;

  // What marks a volume as made for this store and this node [R-LEDG-6]; empty while it is not
  // known.
  [[nodiscard]] virtual std::string owner() const = 0;

  // Absent: no such object, or nothing is to be done for it now.
  [[nodiscard]] virtual std::optional<LogicalVolume> get(const Key& key) const = 0;

  // The object as it is this moment, not as it was last seen; where the store has them, also one of
  // another node.
  [[nodiscard]] virtual Result<LogicalVolume> reread(const Key& key) = 0;

  // Makes our hold on the object durable, so that it can't vanish while its volume stays.
  // Afterwards `marked`, `held` and `uid` are set. Idempotent.
  [[nodiscard]] virtual Result<LogicalVolume> add_finalizer(const LogicalVolume& volume) = 0;

  // Checks once more that the volume is to be removed and makes that durable. kAborted: it is not.
  [[nodiscard]] virtual Result<LogicalVolume> begin_removal(const LogicalVolume& volume) = 0;

  [[nodiscard]] virtual Result<LogicalVolume> write_status(const LogicalVolume& volume,
                                                           const VolumeStatus& status) = 0;

  // Undoes mark(): call it when the volume is gone, or given up [R-DELETE-5]. Idempotent.
  [[nodiscard]] virtual Status remove_finalizer(const LogicalVolume& volume) = 0;

  // Leaves word of what happened where people look for it. Never waits; it may come late, together
  // with others of its kind, or not at all [R-EVENT-2].
  virtual void record_event(const LogicalVolume& volume, const Event& event) = 0;

  // Tells whoever chooses nodes what this one can still give. Writes only what differs from what is
  // there, so it may be asked for often. Not from two threads at the same time [R-CAP-1].
  [[nodiscard]] virtual Status publish(const Capacity& capacity) = 0;
};

enum class Mode : std::uint8_t {
  kAct,
  kDryRun,  // look, and log what would be done [R-CLI-10]
};

}  // namespace lvmd::reconciler
