// The newest use of each volume by CSI, as lvmd has reported it.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "reconciler/model/volume_use.hpp"

namespace lvmd::reconciler {

// How CSI uses one volume.
struct CsiUse {
  // lvmd has a CSI driver.
  bool is_enabled = false;
  VolumeUse volume{};

  friend bool operator==(const CsiUse&, const CsiUse&) = default;
};

// Safe from every thread.
class UseTable {
 public:
  // The volumes whose use a new state has changed.
  struct Changes {
    // lvmd reports for the first time, or its driver was enabled or disabled.
    bool are_all = false;
    std::set<std::string> volumes{};

    friend bool operator==(const Changes&, const Changes&) = default;
  };

  Changes set(VolumeUses uses);

  // Absent: lvmd has reported nothing yet.
  [[nodiscard]] std::optional<CsiUse> of(const std::string& volume) const;
  [[nodiscard]] bool is_enabled() const;

 private:
  mutable std::mutex mutex_;
  std::optional<VolumeUses> newest_;
};

}  // namespace lvmd::reconciler
