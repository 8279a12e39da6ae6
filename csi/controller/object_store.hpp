// The interface to the API server: the LogicalVolumes of the driver's group, and the Nodes. It is
// all that the controller knows: it keeps nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "csi/controller/desired_object.hpp"
#include "csi/controller/object_feed.hpp"
#include "csi/controller/placement.hpp"
#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller {

// When an object is removed. In all cases only the object with this UID, never another one of the
// same name.
enum class Removal : std::uint8_t {
  kAlways,
  // Only if the object has not changed since it was read.
  kIfUnchanged,
};

// Every function is safe from every thread.
//
// Errors of requests: kUnavailable when the API server does not answer or is overloaded (a write
// may then have happened or not), kPermissionDenied and kInvalidArgument when it refuses,
// kCancelled after stop().
class ObjectStore {
 public:
  ObjectStore() = default;
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;
  virtual ~ObjectStore() = default;

  // What the watches reported is complete and current, up to the delay of a watch.
  [[nodiscard]] virtual bool is_ready() const = 0;

  // From the watches. An object that was just created may be missing.
  [[nodiscard]] virtual const ObjectFeed& seen() const = 0;
  [[nodiscard]] virtual std::vector<StorageNode> nodes() const = 0;
  [[nodiscard]] virtual Subscription subscribe(const std::string& name) = 0;

  // From the API server. kNotFound: there is no such object.
  [[nodiscard]] virtual Result<reconciler::LogicalVolume> read(const std::string& name) = 0;
  // All objects. Never a part of them.
  [[nodiscard]] virtual Result<std::vector<reconciler::LogicalVolume>> list() = 0;

  // kAlreadyExists: there is an object of that name.
  [[nodiscard]] virtual Result<reconciler::LogicalVolume> create(const NewObject& object) = 0;

  // Requests another size, and a new attempt if it was requested before. kNotFound: the object was
  // deleted. kAborted: it has changed since it was read.
  [[nodiscard]] virtual Result<reconciler::LogicalVolume> set_size(
      const reconciler::LogicalVolume& object, reconciler::Bytes size,
      const std::string& timestamp) = 0;

  // Requests the removal. Absent: the object is gone. Otherwise it stays until its finalizers are
  // gone. kNotFound: it was gone before. kAborted: it is another object, or has changed.
  [[nodiscard]] virtual Result<Report> remove(const reconciler::LogicalVolume& object,
                                              Removal removal) = 0;

  // Ends every request and every wait, now and later.
  virtual void stop() = 0;
};

}  // namespace lvmd::controller
