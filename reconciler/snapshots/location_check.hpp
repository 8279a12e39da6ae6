// Whether a backup location can be used: which node checks it, when, and what the result means.
// Rules: R-STORE-*.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/backup_location.hpp"
#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

// Spreads the claims of the nodes that see a new location.
inline constexpr std::chrono::seconds kClaimSpread{2};
// A node that has claimed a check and not reported a result for this time is gone. A check takes
// less.
inline constexpr std::chrono::minutes kClaimLasts{10};
// An Error is checked again after this time: the cause may have been repaired where no watch
// reports it.
inline constexpr std::chrono::minutes kErrorStands{10};
// For one check.
inline constexpr std::chrono::minutes kLongestCheck{5};

// The node's data in addition to the object.
struct LocationView {
  std::string node{};
  // Since the object changed, or this node did something for it.
  std::chrono::milliseconds unchanged{0};
  // This node's failures with a transient cause, in a row.
  unsigned failures = 0;
  // In [0, 1): drawn once for each wait.
  double jitter = 0.5;
};

struct CheckPlan {
  enum class Step : std::uint8_t {
    kNothing,
    kClaim,  // announce in the status that this node checks the location
    kCheck,  // check the location, and report the result
  };

  Step step = Step::kNothing;
  // Before the step.
  std::chrono::milliseconds wait{0};

  friend bool operator==(const CheckPlan&, const CheckPlan&) = default;
};

// Pure: R-STORE-1 to R-STORE-4.
[[nodiscard]] CheckPlan plan_check(const BackupLocation& location, const LocationView& view);

// The status that announces the check by `node`.
[[nodiscard]] BackupLocationStatus check_claim(const BackupLocation& location,
                                               const std::string& node, std::string now);

struct CheckFinding {
  // Absent: the check has no result for the status.
  std::optional<BackupLocationStatus> status{};
  // A repeated check can have another result without a change.
  bool is_passing = false;
};

// The result of a check. `transfer` is its end in lvmd, or why there was no check.
[[nodiscard]] CheckFinding finding_of(const BackupLocation& location,
                                      const Result<Transfer>& transfer, const std::string& node,
                                      std::string now);

// The repository for the check of a location at `base`: below it, like each claim's repository,
// with a name that no claim's can have. It does not exist, so the check does not test the
// repositories' password.
[[nodiscard]] std::string check_repository(std::string_view base);

}  // namespace lvmd::reconciler
