// Kubernetes conditions, as in status.conditions: what is true of an object, and since when.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvmd::reconciler {

// Written by the volume controller.
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
  // RFC 3339; empty: the time of the next write.
  std::string last_transition_time{};
  // Only for conditions of other writers. The reconciler uses status.observedGeneration.
  std::optional<std::int64_t> observed_generation{};

  friend bool operator==(const Condition&, const Condition&) = default;
};

// The time of the transition is that of the next write.
[[nodiscard]] Condition make_condition(std::string_view type, std::string_view status,
                                       std::string_view reason, std::string message = {});

using Conditions = std::vector<Condition>;

// Null when there is no condition of that type.
[[nodiscard]] const Condition* find_condition(const Conditions& conditions, std::string_view type);

// Replaces the condition of the same type, or appends the condition. The time of the last
// transition stays while the status stays. Otherwise the next write sets it.
void set_condition(Conditions& conditions, Condition condition);

// Sets `now` in every condition without a time of transition.
void stamp(Conditions& conditions, std::chrono::system_clock::time_point now);

// "2026-01-31T12:00:00Z", as Kubernetes writes times.
[[nodiscard]] std::string to_timestamp(std::chrono::system_clock::time_point time);

// "NOT_ENOUGH_SPACE" → "NotEnoughSpace": an error's reason as a condition's reason.
[[nodiscard]] std::string camel_case(std::string_view reason);

}  // namespace lvmd::reconciler
