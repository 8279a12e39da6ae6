#include "lvmd/metadata/metadata_area.hpp"

#include <algorithm>

#include "lvmd/metadata/crc.hpp"

namespace lvmd::metadata {

Result<PvLabel> read_label(const DeviceFile& device) {
  const auto head = device.read(0, kLabelScanSize);
  if (!head) return std::unexpected(head.error());
  return parse_label(*head);
}

Result<MdaHeader> read_mda_header(const DeviceFile& device, const DiskRange& area) {
  const auto sector = device.read(area.offset, kMdaHeaderSize);
  if (!sector) return std::unexpected(sector.error());
  return parse_mda_header(*sector, area.offset);
}

Result<std::string> read_text(const DeviceFile& device, const DiskRange& area,
                              const MdaHeader& header) {
  if (!header.text) return fail(Code::kInternal, "metadata area at {} has no text", area.offset);
  const TextLocation& text = *header.text;
  const std::uint64_t before_end = std::min(text.size, header.area_size - text.offset);
  auto result = device.read(area.offset + text.offset, before_end);
  if (!result) return result;
  if (const std::uint64_t rest = text.size - before_end; rest > 0) {
    const auto wrapped = device.read(area.offset + kMdaHeaderSize, rest);
    if (!wrapped) return wrapped;
    *result += *wrapped;
  }
  if (crc(*result) != text.checksum)
    return fail(Code::kUnavailable, "metadata area at {}: its text has a wrong checksum",
                area.offset);
  while (result->ends_with('\0')) result->pop_back();
  return result;
}

}  // namespace lvmd::metadata
