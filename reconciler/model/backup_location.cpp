#include "reconciler/model/backup_location.hpp"

#include <fmt/format.h>

namespace lvmd::reconciler {

std::string_view to_string(BackupLocationPhase phase) {
  switch (phase) {
    case BackupLocationPhase::kPending:
      return "Pending";
    case BackupLocationPhase::kReady:
      return "Ready";
    case BackupLocationPhase::kError:
      return "Error";
  }
  return "";
}

std::optional<BackupLocationPhase> parse_backup_location_phase(std::string_view text) {
  for (const BackupLocationPhase phase :
       {BackupLocationPhase::kPending, BackupLocationPhase::kReady, BackupLocationPhase::kError})
    if (text == to_string(phase)) return phase;
  return std::nullopt;
}

std::string to_string(const LocationName& name) {
  return fmt::format("{}/{}", name.namespace_name, name.name);
}

}  // namespace lvmd::reconciler
