// Whether a storage can be used: who finds that out, when, and what the answer means. Rules:
// R-STORE-*.
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

// The nodes that see a new storage don't ask for it all at once.
inline constexpr std::chrono::seconds kClaimSpread{2};
// A node that was to check a storage, and has not told what it found for so long, is gone. Longer
// than a check takes.
inline constexpr std::chrono::minutes kClaimLasts{10};
// An Error is looked at again: what was wrong may have been put right where no watch sees it.
inline constexpr std::chrono::minutes kErrorStands{10};
// For one check.
inline constexpr std::chrono::minutes kLongestCheck{5};

// What a node knows besides the object.
struct LocationView {
  std::string node{};
  // Since the object has changed, or this node has done something about it.
  std::chrono::milliseconds unchanged{0};
  // What this node did for it and what failed for a passing cause, in a row.
  unsigned failures = 0;
  // In [0, 1): drawn once for the wait that it is about.
  double jitter = 0.5;
};

struct CheckPlan {
  enum class Step : std::uint8_t {
    kNothing,
    kClaim,  // say in the status that this node checks it
    kCheck,  // find out, and say what was found
  };

  Step step = Step::kNothing;
  // With the step.
  std::chrono::milliseconds wait{0};

  friend bool operator==(const CheckPlan&, const CheckPlan&) = default;
};

// Pure: R-STORE-1 to R-STORE-4.
[[nodiscard]] CheckPlan plan_check(const BackupLocation& location, const LocationView& sight);

// The status with which `node` says that it checks the storage.
[[nodiscard]] BackupLocationStatus check_claim(const BackupLocation& location,
                                               const std::string& node, std::string now);

struct CheckFinding {
  // Absent: nothing is known of the storage that its status would have to tell.
  std::optional<BackupLocationStatus> status{};
  // The same again may find something else without anybody's doing.
  bool is_passing = false;
};

// What a check has found; `told` is how it ended at lvmd, or why there was none.
[[nodiscard]] CheckFinding finding_of(const BackupLocation& location, const Result<Transfer>& told,
                                      const std::string& node, std::string now);

// Where a storage at `base` is checked: below it, as each claim's repository is, where no claim's
// can be. Nothing is there, so the repositories' password is not tried.
[[nodiscard]] std::string check_repository(std::string_view base);

}  // namespace lvmd::reconciler
