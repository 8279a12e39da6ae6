// The states of one volume group on a channel. After the first group, a frame contains only what
// differs from the group before it, so that its size does not grow with the group.
//
// Both ends keep the last group. The channel keeps the order of its frames and loses none. A new
// channel begins with a whole group.
#pragma once

#include <optional>

#include "internal/model.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::ipc {

// Use one per channel, and send each state that it returns. Not thread-safe.
class StateWriter {
 public:
  [[nodiscard]] internal::VgState write(model::VgState state);

 private:
  std::optional<model::VolumeGroup> last_;
};

// Use one per channel. Not thread-safe.
class StateReader {
 public:
  // InvalidArgument if the frame breaks a rule of the model, or does not follow from the last
  // group. Then read nothing more from the channel: later frames may depend on this one.
  [[nodiscard]] Result<model::VgState> read(const internal::VgState& frame);

 private:
  [[nodiscard]] Result<model::VolumeGroup> apply(const internal::VolumeGroupChange& change);

  std::optional<model::VolumeGroup> last_;
};

}  // namespace lvmd::ipc
