// One reader per family of segment types. Each fills the rest of a segment whose type, start and
// extents are read; errors as parse_segment tells them.
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
