// The state of a volume group as LVM's own JSON report tells it: for layouts that MetadataReader
// doesn't know. Covers every layout that LVM has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::report {

// The words behind "lvm" that make the report which parse_report reads.
[[nodiscard]] std::vector<std::string> report_arguments(std::string_view vg_name);

// Everything that the model has is filled, devices and usage too. Unavailable when the report
// doesn't have the group, or has it as exported; Internal, naming the field, when the text isn't
// such a report.
[[nodiscard]] Result<model::VolumeGroup> parse_report(std::string_view json,
                                                      std::string_view vg_name);

}  // namespace lvmd::report
