// What the status of an object tells about a request that was made of it. Pure. Rules: C-WAIT-*.
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller {

// Absent: the request is not completed yet. Otherwise success, or why the request failed.
using Verdict = std::optional<Status>;

// The volume or snapshot is to be created. The codes are those that the sidecars expect
// [C-WAIT-3].
[[nodiscard]] Verdict creation_of(const reconciler::LogicalVolume& object);

// The volume is to grow to `size`. `before` is the object as of the request: a failure that it
// already has is of an earlier request [C-WAIT-4]. OutOfRange without space [C-GROW-3].
[[nodiscard]] Verdict growth_of(const reconciler::LogicalVolume& object, reconciler::Bytes size,
                                const reconciler::LogicalVolume& before);

// The object is to be removed, and still exists. `before` as above.
[[nodiscard]] Verdict removal_of(const reconciler::LogicalVolume& object,
                                 const reconciler::LogicalVolume& before);

// What the request waits for, as text for people: the first condition that is not True.
[[nodiscard]] std::string waits_for(const reconciler::LogicalVolume& object);

}  // namespace lvmd::controller
