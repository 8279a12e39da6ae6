// Plans and executes for one object until nothing is left to do, or something fails.
#pragma once

#include <optional>
#include <set>
#include <stop_token>
#include <string>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/plan/plan.hpp"
#include "reconciler/store/volume_store.hpp"

namespace lvmd::reconciler {

enum class Outcome {
  kSettled,  // nothing left to do until the object changes
  kRetry,    // something failed that may succeed later
  kGone,     // the object is no more
};

class Pass {
 public:
  // `failures`: how many passes of this object failed in a row before. Once `stop` is requested, no
  // further step is begun and no failure is written down.
  Pass(VolumeStore& store, VolumeService& service, LogicalVolume volume, unsigned failures,
       std::stop_token stop);

  // Executes step after step, one log entry each. A failure of lvmd is written into the status,
  // except for a transient one the first time, which a restart of lvmd explains.
  [[nodiscard]] Outcome run();

  // The object as the last write left it.
  [[nodiscard]] const LogicalVolume& volume() const { return volume_; }

  // The resourceVersions that this pass overwrote: who still shows one of them, shows the past.
  [[nodiscard]] const std::set<std::string>& superseded() const { return superseded_; }

 private:
  Status execute(const Nothing& step);
  Status execute(const Mark& step);
  Status execute(const LookUp& step);
  Status execute(const Create& step);
  Status execute(const Resize& step);
  Status execute(const BeginRemoval& step);
  Status execute(const Remove& step);
  Status execute(const Release& step);
  Status execute(const WriteStatus& step);

  [[nodiscard]] Status timed(const Step& step);
  [[nodiscard]] std::optional<Outcome> after_store_error(const Error& error);
  void report(const Error& error);
  [[nodiscard]] VolumeName name() const { return {volume_.uid, volume_.spec.device_class}; }
  [[nodiscard]] Status keep(Result<LogicalVolume> written);
  void replace(LogicalVolume newer);

  VolumeStore& store_;
  VolumeService& service_;
  LogicalVolume volume_;
  unsigned failures_;
  std::stop_token stop_;
  Observed observed_;
  std::set<std::string> superseded_;
  bool reread_ = false;
};

}  // namespace lvmd::reconciler
