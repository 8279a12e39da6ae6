// Runs `lvm fullreport` and gives back what it printed.
#pragma once

#include <chrono>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::report {

// The report of one group, for parse_report. Waits for LVM's locks, and for all of it no longer
// than `time_limit`. Errors as run_program tells them.
[[nodiscard]] Result<std::string> run_report(const std::string& lvm_path,
                                             const std::string& vg_name,
                                             std::chrono::milliseconds time_limit);

}  // namespace lvmd::report
