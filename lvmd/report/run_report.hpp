// Runs `lvm fullreport`.
#pragma once

#include <chrono>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::report {

// The report of one group, for parse_report(). Waits for LVM's locks. Blocks for at most
// `time_limit`. Errors as in run_program().
[[nodiscard]] Result<std::string> run_report(const std::string& lvm_path,
                                             const std::string& vg_name,
                                             std::chrono::milliseconds time_limit);

}  // namespace lvmd::report
