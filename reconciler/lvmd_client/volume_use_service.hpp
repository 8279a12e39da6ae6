// The call of lvmd's MountService that the reconciler uses. Rules: docs/protocol.md, P-MOUNT-20 to
// P-MOUNT-23.
#pragma once

#include <functional>

#include "lvmd/base/result.hpp"
#include "reconciler/model/volume_use.hpp"

namespace lvmd::reconciler {

// Safe from every thread.
class VolumeUseService {
 public:
  VolumeUseService() = default;
  VolumeUseService(const VolumeUseService&) = delete;
  VolumeUseService& operator=(const VolumeUseService&) = delete;
  virtual ~VolumeUseService() = default;

  // Calls `seen` with the present state and after each change. Returns when lvmd ends the stream,
  // becomes unavailable, or does not report a first state for a while. Unimplemented by an lvmd
  // without this call.
  using Callback = std::function<void(const VolumeUses&)>;
  [[nodiscard]] virtual Status watch(const Callback& seen) = 0;

  // Ends the call in progress, and all later ones, with Cancelled.
  virtual void stop() = 0;
};

}  // namespace lvmd::reconciler
