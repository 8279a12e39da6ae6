#include "reconciler/model/backup_location.hpp"

#include <fmt/format.h>

#include "reconciler/model/names.hpp"

namespace lvmd::reconciler {
namespace {

constexpr Names<BackupLocationPhase, 3> kPhaseNames{{{BackupLocationPhase::kPending, "Pending"},
                                                     {BackupLocationPhase::kReady, "Ready"},
                                                     {BackupLocationPhase::kError, "Error"}}};

}  // namespace

std::string_view to_string(BackupLocationPhase phase) { return name_of(kPhaseNames, phase); }

std::optional<BackupLocationPhase> parse_backup_location_phase(std::string_view text) {
  return value_of(kPhaseNames, text);
}

std::string to_string(const LocationName& name) {
  return fmt::format("{}/{}", name.namespace_name, name.name);
}

}  // namespace lvmd::reconciler
