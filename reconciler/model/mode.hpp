#pragma once

#include <cstdint>

namespace lvmd::reconciler {

enum class Mode : std::uint8_t {
  kAct,
  kDryRun,  // look, and log what would be done [R-CLI-10]
};

}  // namespace lvmd::reconciler
