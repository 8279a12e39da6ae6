// One function per family of segment types. `segment` has its type, start and extents; the function
// sets the other members. Errors as in parse_segment().
//
// Source: the text_import functions of LVM2's segment types (lib/striped, lib/mirror, lib/raid,
// ...).
#pragma once

#include "lvmd/metadata/segment_parser.hpp"

namespace lvmd::metadata {

[[nodiscard]] Status read_striped(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_mirror(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_virtual(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_raid(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_thin_pool(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_thin(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_cache_pool(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_cache(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_writecache(const ConfigSection& section, PvTable& pvs, Segment& segment);
[[nodiscard]] Status read_snapshot(const ConfigSection& section, PvTable& pvs, Segment& segment);

}  // namespace lvmd::metadata
