// Reads the label, the metadata area headers and the committed text of one device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/device_file.hpp"
#include "lvmd/metadata/disk_layout.hpp"

namespace lvmd::metadata {

// Reads and checks the label. NotFound if the device has no intact label.
[[nodiscard]] Result<PvLabel> read_label(const DeviceFile& device);

[[nodiscard]] Result<MdaHeader> read_mda_header(const DeviceFile& device, const DiskRange& area);

// The text without its final NUL. Unavailable if the checksum differs from the header: the text is
// damaged, or LVM has replaced it since the header was read.
[[nodiscard]] Result<std::string> read_text(const DeviceFile& device, const DiskRange& area,
                                            const MdaHeader& header);

}  // namespace lvmd::metadata
