// Executes the steps of an object's volume.
#pragma once

#include <optional>
#include <string>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/volume_store.hpp"
#include "reconciler/volumes/object_progress.hpp"
#include "reconciler/volumes/observed.hpp"
#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// For one object and one thread.
class VolumeController {
 public:
  // All references must outlive the controller. The object is `progress.seen`.
  VolumeController(VolumeStore& store, VolumeService& service, ObjectProgress& progress);

  // Calls lvmd or the store, and keeps the result in observed(). Nothing, Yield and WriteStatus do
  // nothing here.
  [[nodiscard]] Status execute(const VolumeStep& step);

  [[nodiscard]] const VolumeObserved& observed() const { return observed_; }
  // The object of spec.source, after FindSource.
  [[nodiscard]] const std::optional<LogicalVolume>& source() const { return source_; }
  // The volume's name and device class. plan_volume() finds the class before the first call.
  [[nodiscard]] VolumeName name() const;

  // Forgets what was observed: the object has changed.
  void reset();

  // A status that names the volume was written.
  void status_written() { created_ = false; }
  // The status shows the result of the current request.
  void request_answered() { observed_.renewed = false; }

  // Removes the volume if it was created and no status names it: its object was deleted meanwhile
  // [R-CREATE-7].
  void remove_created();

 private:
  template <typename Kind>
  Status run(const Kind& step);
  static Status run(const Nothing& /*step*/) { return {}; }
  static Status run(const Yield& /*step*/) { return {}; }
  static Status run(const WriteStatus& /*step*/) { return {}; }

  [[nodiscard]] LogicalVolume& object() { return progress_.seen; }
  [[nodiscard]] Status find_default_class();
  [[nodiscard]] Status created(const Result<Bytes>& size);

  VolumeStore& store_;
  VolumeService& service_;
  ObjectProgress& progress_;
  VolumeObserved observed_;
  std::optional<LogicalVolume> source_;
  // A volume was created, and no status names it yet.
  bool created_ = false;
};

}  // namespace lvmd::reconciler
