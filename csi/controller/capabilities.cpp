#include "csi/controller/capabilities.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/csi_options.hpp"
#include "lvmd/model/mount_rules.hpp"

namespace lvmd::controller {
namespace {

using Mode = api::VolumeCapability::AccessMode;

constexpr std::string_view kDefaultFileSystem = "ext4";

constexpr std::array kModes{Mode::SINGLE_NODE_WRITER, Mode::SINGLE_NODE_READER_ONLY,
                            Mode::SINGLE_NODE_SINGLE_WRITER, Mode::SINGLE_NODE_MULTI_WRITER};

Status check_mode(const api::VolumeCapability& capability) {
  if (std::ranges::count(kModes, capability.access_mode().mode()) > 0) return {};
  const std::string& name = Mode::Mode_Name(capability.access_mode().mode());
  return fail(Code::kInvalidArgument,
              "volume_capability.access_mode {} is not supported, because a volume can be used on "
              "one node only: use SINGLE_NODE_WRITER (ReadWriteOnce), SINGLE_NODE_SINGLE_WRITER "
              "(ReadWriteOncePod), SINGLE_NODE_MULTI_WRITER or SINGLE_NODE_READER_ONLY",
              name)
      .about("volume_capability.access_mode", name);
}

Status check_mount(const api::VolumeCapability::MountVolume& mount) {
  const std::string& type = mount.fs_type();
  if (!type.empty() && std::ranges::count(model::kFileSystems, type) == 0)
    return fail(Code::kInvalidArgument,
                "volume_capability.mount.fs_type \"{}\" is not supported: use {}", type,
                fmt::join(model::kFileSystems, ", "))
        .because(reason::kInvalidFileSystem)
        .about("volume_capability.mount.fs_type", type);
  const std::vector<std::string> flags{mount.mount_flags().begin(), mount.mount_flags().end()};
  const auto options = model::parse_csi_options(flags, type.empty() ? kDefaultFileSystem : type);
  if (!options) return std::unexpected(options.error());
  return {};
}

}  // namespace

Status check_capability(const api::VolumeCapability& capability) {
  if (auto checked = check_mode(capability); !checked) return checked;
  if (capability.has_block()) return {};
  if (capability.has_mount()) return check_mount(capability.mount());
  return fail(Code::kInvalidArgument, "volume_capability has neither block nor mount: set one");
}

Status check_capabilities(const Capabilities& capabilities) {
  if (capabilities.empty())
    return fail(Code::kInvalidArgument, "volume_capabilities is empty: at least one is required");
  const api::VolumeCapability* typed = nullptr;
  for (const api::VolumeCapability& capability : capabilities) {
    if (auto checked = check_capability(capability); !checked) return checked;
    if (capability.has_block() != capabilities[0].has_block())
      return fail(Code::kInvalidArgument,
                  "volume_capabilities has both block and mount: a volume is used as one of them");
    if (capability.mount().fs_type().empty()) continue;
    if (typed != nullptr && typed->mount().fs_type() != capability.mount().fs_type())
      return fail(Code::kInvalidArgument,
                  "volume_capabilities has the fs_types {} and {}: a volume has one file system",
                  typed->mount().fs_type(), capability.mount().fs_type())
          .because(reason::kInvalidFileSystem);
    typed = &capability;
  }
  return {};
}

}  // namespace lvmd::controller
