// One log entry for each step.
#pragma once

#include <chrono>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/snapshots/step.hpp"

namespace lvmd::reconciler {

// For a dry run: the step is not executed.
void log_plan(const Step& step, const LogicalVolume& object);

void log_step(const Step& step, const LogicalVolume& object, const Status& result,
              std::chrono::microseconds duration);

}  // namespace lvmd::reconciler
