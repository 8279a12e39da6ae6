// The interface to the store of LogicalVolume objects.
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

// Offers only the objects of this node [R-NODE-1], as last seen. Every function is safe from every
// thread, but two writes of one object must not overlap.
//
// Writes return the object after the write, or an Error:
//   kNotFound  the object was deleted
//   kAborted   the object was changed concurrently. Nothing was written; reread() returns the new
//   one others     the write may have happened or not, and can be retried
class VolumeStore {
 public:
  using Changed = std::function<void(const Key&)>;

  VolumeStore() = default;
  VolumeStore(const VolumeStore&) = delete;
  VolumeStore& operator=(const VolumeStore&) = delete;
  virtual ~VolumeStore() = default;

  // Begins to watch the objects. From then on, threads of the store call `changed` for every object
  // that was added, changed or deleted, at least once after its last change.
  [[nodiscard]] virtual Status start(Changed changed) = 0;

  // Ends at once what start() began, and every write in progress with kCancelled.
  virtual void stop() = 0;

  // All objects are known, as far as the store can be read [R-SERVE-3].
  [[nodiscard]] virtual bool is_ready() const = 0;

  [[nodiscard]] virtual std::vector<Key> keys() const = 0;

  // The claims of all objects with a volume's name, including objects that get() does not offer.
  // Absent while other objects can exist that are not known: then no volume is known to be an
  // orphan.
  [[nodiscard]] virtual std::optional<std::vector<Claim>> claims() const = 0;

  // The names of the volumes of all objects that exist now, for all nodes and states: read again,
  // without a filter. An Error when any can be missing.
  [[nodiscard]] virtual Result<std::set<std::string>> all_volume_names() = 0;

  // The owner mark of volumes that are created for this store and this node [R-LEDG-6]; empty while
  // it is not known.
  [[nodiscard]] virtual std::string owner() const = 0;

  // Absent: no such object, or it needs nothing now.
  [[nodiscard]] virtual std::optional<LogicalVolume> get(const Key& key) const = 0;

  // The current object, not the one last seen. If the store has objects of other nodes, also those.
  [[nodiscard]] virtual Result<LogicalVolume> reread(const Key& key) = 0;

  // Makes the claim on the volume durable, so that the object cannot be deleted before its volume.
  // Afterwards `has_metadata`, `has_finalizer` and `uid` are set. Idempotent.
  [[nodiscard]] virtual Result<LogicalVolume> add_finalizer(const LogicalVolume& object) = 0;

  // Checks again that the volume is to be removed, and makes that durable. kAborted: it is not to
  // be removed.
  [[nodiscard]] virtual Result<LogicalVolume> begin_removal(const LogicalVolume& object) = 0;

  [[nodiscard]] virtual Result<LogicalVolume> write_status(const LogicalVolume& object,
                                                           const VolumeStatus& status) = 0;

  // Reverts add_finalizer(). Call it when the volume is removed or abandoned [R-DELETE-5].
  // Idempotent.
  [[nodiscard]] virtual Status remove_finalizer(const LogicalVolume& object) = 0;

  // Reports an event to people. Never waits. The event can be late, joined with others of its kind,
  // or lost [R-EVENT-2].
  virtual void record_event(const LogicalVolume& object, const Event& event) = 0;

  // Publishes the node's capacity for the scheduler. Writes only differences, so it can be called
  // often. For one thread at a time [R-CAP-1].
  [[nodiscard]] virtual Status publish(const Capacity& capacity) = 0;
};

enum class Mode : std::uint8_t {
  kAct,
  kDryRun,  // read, and log the next step [R-CLI-10]
};

}  // namespace lvmd::reconciler
