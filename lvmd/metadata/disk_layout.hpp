// The label and the metadata area headers that LVM2 writes on a PV. Pure. The input can be any
// bytes: all lengths are checked.
//
// Source: LVM2's lib/format_text/layout.h and lib/label/label.h describe the format; all numbers
// are little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::metadata {

inline constexpr std::size_t kSector = 512;
// The label is in one of the first four sectors.
inline constexpr std::size_t kLabelScanSize = 4 * kSector;
inline constexpr std::size_t kMdaHeaderSize = kSector;

struct DiskRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;

  friend bool operator==(const DiskRange&, const DiskRange&) = default;
};

struct PvLabel {
  // The PV's UUID without dashes, 32 characters.
  std::string pv_id;
  // The metadata areas, in bytes from the start of the device. Can be empty.
  std::vector<DiskRange> metadata_areas;
};

// `head`: the first kLabelScanSize bytes of a device. NotFound if there is no intact label.
[[nodiscard]] Result<PvLabel> parse_label(std::string_view head);

// The place of the committed text in a metadata area. The text can wrap: it then continues after
// the header of the area.
struct TextLocation {
  // From the start of the area.
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t checksum = 0;

  friend bool operator==(const TextLocation&, const TextLocation&) = default;
};

struct MdaHeader {
  // The size of the whole area, including the header.
  std::uint64_t area_size = 0;
  // Absent if the area has no text (a PV without VG), or if it has the flag "ignored".
  std::optional<TextLocation> text;

  friend bool operator==(const MdaHeader&, const MdaHeader&) = default;
};

// `sector`: the kMdaHeaderSize bytes at `area_offset`. Unavailable, with the reason, if checksum,
// magic, version or offset is wrong, or if the text would be outside the area.
[[nodiscard]] Result<MdaHeader> parse_mda_header(std::string_view sector,
                                                 std::uint64_t area_offset);

}  // namespace lvmd::metadata
