// The part of a pass that is about a backup or a restore.
#pragma once

#include <chrono>
#include <optional>

#include "reconciler/volumes/online_services.hpp"
#include "reconciler/volumes/plan.hpp"

namespace lvmd::reconciler {

// ObjectProgress is written, and a running transfer asked for, no more often [R-ONLINE-7].
inline constexpr std::chrono::seconds kProgressInterval{5};

// Each call executes one step for `volume`, and takes down in `observed` what that told.
class TransferCalls {
 public:
  // Both references outlive it.
  TransferCalls(const OnlineServices& services, Observed& observed)
      : services_(services), observed_(observed) {}

  [[nodiscard]] Status find_class(const LogicalVolume& volume,
                                  const std::optional<LogicalVolume>& source, bool of_source);
  [[nodiscard]] Status find_persistent_volume(const std::string& name);
  [[nodiscard]] Status find_location(const LogicalVolume& volume, const LocationName& name);
  [[nodiscard]] Status start(const LogicalVolume& volume, const VolumeName& name,
                             Operation operation);
  [[nodiscard]] Status follow(const TransferName& name);
  [[nodiscard]] Status cancel(const TransferName& name);

 private:
  [[nodiscard]] Result<Transfer> ask(const LogicalVolume& volume, const VolumeName& name,
                                     Operation operation, const RepositoryAccess& access);
  [[nodiscard]] Status take(Result<Transfer> told);

  const OnlineServices& services_;
  Observed& observed_;
};

}  // namespace lvmd::reconciler
