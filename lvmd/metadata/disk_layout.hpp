// What LVM2 writes on a physical volume besides metadata text: the label and the headers of its
// metadata areas. Pure parsing of bytes that may be anything: every length is checked.
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
  // Where the metadata areas are, in bytes from the start of the device; may be none.
  std::vector<DiskRange> metadata_areas;
};

// `head` holds the first kLabelScanSize bytes of a device. NotFound when there is no intact label.
[[nodiscard]] Result<PvLabel> parse_label(std::string_view head);

// Where in a metadata area the committed text is. The text may wrap: what doesn't fit before the
// area's end goes on behind the header.
struct TextLocation {
  // From the start of the area.
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t checksum = 0;

  friend bool operator==(const TextLocation&, const TextLocation&) = default;
};

struct MdaHeader {
  // Of the whole area, header included.
  std::uint64_t area_size = 0;
  // Absent when the area holds no text (a PV without VG) or LVM was told to ignore the area.
  std::optional<TextLocation> text;

  friend bool operator==(const MdaHeader&, const MdaHeader&) = default;
};

// `sector` holds the kMdaHeaderSize bytes at `area_offset`. Unavailable, saying what is wrong, when
// checksum, magic, version or place aren't right, or the text would lie outside the area.
[[nodiscard]] Result<MdaHeader> parse_mda_header(std::string_view sector,
                                                 std::uint64_t area_offset);

}  // namespace lvmd::metadata
