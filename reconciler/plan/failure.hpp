// What an error of lvmd means for an object's status.
#pragma once

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// lvmd is away or busy: the answer will be another one soon, without anybody's doing [R-FAIL-1].
[[nodiscard]] bool is_transient(Code code);

// `current` after `error`. A transient error leaves the code as it is, because clients give up on a
// code; the message says what is waited for. volumeID and currentSize always stay. [R-FAIL-1,
// R-FAIL-2]
[[nodiscard]] VolumeStatus failed_status(const VolumeStatus& current, const Error& error);

}  // namespace lvmd::reconciler
