// A SnapshotBackupStorage object with its status: whether it can be used. Rules: R-STORE-*.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

enum class BackupLocationPhase : std::uint8_t { kPending, kReady, kError };

// "Pending".
[[nodiscard]] std::string_view to_string(BackupLocationPhase phase);
[[nodiscard]] std::optional<BackupLocationPhase> parse_backup_location_phase(std::string_view text);

struct BackupLocationStatus {
  BackupLocationPhase phase = BackupLocationPhase::kPending;
  // For a person; may be empty.
  std::string message{};
  // RFC 3339.
  std::string last_checked{};
  // The node that checks the location, or has checked it.
  std::string node{};
  // The metadata.generation that the status is about.
  std::int64_t observed_generation = 0;

  friend bool operator==(const BackupLocationStatus&, const BackupLocationStatus&) = default;
};

struct BackupLocation {
  LocationName name{};
  std::string uid{};
  std::string resource_version{};
  std::int64_t generation = 0;
  // spec.validateOnCreate.
  bool validate = true;
  bool removal_wanted = false;
  // Absent: no node has checked the location.
  std::optional<BackupLocationStatus> status{};

  friend bool operator==(const BackupLocation&, const BackupLocation&) = default;
};

// "lvmd-snapshots/minio".
[[nodiscard]] std::string to_string(const LocationName& name);

}  // namespace lvmd::reconciler
