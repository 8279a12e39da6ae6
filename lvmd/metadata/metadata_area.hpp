// Metadata areas of one device: their headers, and the committed text that a header points to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/device_file.hpp"
#include "lvmd/metadata/disk_layout.hpp"

namespace lvmd::metadata {

// Reads and checks the label. NotFound when the device has none.
[[nodiscard]] Result<PvLabel> read_label(const DeviceFile& device);

[[nodiscard]] Result<MdaHeader> read_mda_header(const DeviceFile& device, const DiskRange& area);

// The text without its final NUL. Unavailable when the checksum isn't the header's: the text was
// replaced since the header was read, or it is damaged.
[[nodiscard]] Result<std::string> read_text(const DeviceFile& device, const DiskRange& area,
                                            const MdaHeader& header);

}  // namespace lvmd::metadata
