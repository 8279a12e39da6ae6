// Conditions as Kubernetes has them in status.conditions: what is true of an object, and since
// when.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvmd::reconciler {

// Ours; any other type is somebody else's and stays as it is [R-OBJ-25].
inline constexpr std::string_view kReadyType = "Ready";
inline constexpr std::string_view kResizedType = "Resized";
// Written by the snapshot controller.
inline constexpr std::string_view kBackupReadyType = "BackupReady";
inline constexpr std::string_view kRestoreReadyType = "RestoreReady";
inline constexpr std::string_view kSnapshotCleanedType = "LVMSnapshotCleaned";
inline constexpr std::string_view kSnapshotDeletedType = "SnapshotDeleteEnsured";

// The conditions about the volume itself.
inline constexpr std::array kVolumeConditions{kReadyType, kResizedType};

// lvmd-reconciler writes this condition. Conditions of other types belong to other writers and are
// never changed [R-OBJ-25].
[[nodiscard]] bool is_owned_condition(std::string_view type);

inline constexpr std::string_view kTrue = "True";
inline constexpr std::string_view kFalse = "False";
inline constexpr std::string_view kUnknown = "Unknown";

struct Condition {
  std::string type{};
  // kTrue, kFalse or kUnknown.
  std::string status{};
  // CamelCase, for programs.
  std::string reason{};
  // For a person.
  std::string message{};
  // RFC 3339; empty: it is the moment of the next write.
  std::string last_transition_time{};
  // Somebody else's only; ours go by status.observedGeneration.
  std::optional<std::int64_t> observed_generation{};

  friend bool operator==(const Condition&, const Condition&) = default;
};

using Conditions = std::vector<Condition>;

// Null when there is none of that type.
[[nodiscard]] const Condition* find_condition(const Conditions& conditions, std::string_view type);

// Puts `condition` in the place of the one of its type, or last. The time of the last transition
// stays while the status stays; otherwise the next write tells it.
void set_condition(Conditions& conditions, Condition condition);

// Fills in `now` wherever a transition waits to be told.
void stamp(Conditions& conditions, std::chrono::system_clock::time_point now);

// "2026-01-31T12:00:00Z", as Kubernetes writes times.
[[nodiscard]] std::string to_timestamp(std::chrono::system_clock::time_point time);

// "NOT_ENOUGH_SPACE" → "NotEnoughSpace": the reason of an error as one of a condition.
[[nodiscard]] std::string camel_case(std::string_view reason);

}  // namespace lvmd::reconciler
