#include "reconciler/model/backup_location.hpp"

#include <fmt/format.h>

namespace lvmd::reconciler {

std::string_view to_string(StoragePhase phase) {
  switch (phase) {
    case StoragePhase::kPending:
      return "Pending";
    case StoragePhase::kReady:
      return "Ready";
    case StoragePhase::kError:
      return "Error";
  }
  return "";
}

std::optional<StoragePhase> parse_storage_phase(std::string_view text) {
  for (const StoragePhase phase :
       {StoragePhase::kPending, StoragePhase::kReady, StoragePhase::kError})
    if (text == to_string(phase)) return phase;
  return std::nullopt;
}

std::string to_string(const StorageName& name) {
  return fmt::format("{}/{}", name.scope, name.name);
}

}  // namespace lvmd::reconciler
