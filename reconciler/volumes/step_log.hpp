// One log entry per step taken.
#pragma once

#include <chrono>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// What a person calls the step: "create", "write status".
[[nodiscard]] std::string_view to_string(const Step& step);

// For a dry run: the step is not taken.
void log_plan(const Step& step, const LogicalVolume& volume);

void log_step(const Step& step, const LogicalVolume& volume, const Status& result,
              std::chrono::microseconds duration);

}  // namespace lvmd::reconciler
