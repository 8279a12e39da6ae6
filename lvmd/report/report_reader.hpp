// Reads the state of a volume group from LVM's JSON report. It supports every layout of LVM, and is
// the fallback for layouts that MetadataReader does not support.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::report {

// The arguments for the lvm program that print the report for parse_report().
[[nodiscard]] std::vector<std::string> report_arguments(std::string_view vg_name);

// The group with all fields that the report has, including devices and pool usage. Unavailable if
// the group is not in the report, or is exported. Internal, with the name of the field, if the text
// is not such a report. Pure.
[[nodiscard]] Result<model::VolumeGroup> parse_report(std::string_view text,
                                                      std::string_view vg_name);

// The report of one group, for parse_report(). Waits for LVM's locks. Blocks for at most
// `time_limit`. Errors as in run_program().
[[nodiscard]] Result<std::string> run_report(const std::string& lvm_path,
                                             const std::string& vg_name,
                                             std::chrono::milliseconds time_limit);

}  // namespace lvmd::report
