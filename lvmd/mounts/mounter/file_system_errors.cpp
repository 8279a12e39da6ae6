#include "lvmd/mounts/mounter/file_system_errors.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "lvmd/mounts/mounter/btrfs.hpp"
#include "lvmd/mounts/mounter/xfs.hpp"

namespace lvmd::mounts::mounter {
namespace {

void add_if_any(std::vector<FileSystemError>& errors, std::string_view kind, std::uint64_t count) {
  if (count != 0) errors.push_back({.kind = std::string{kind}, .count = count});
}

}  // namespace

std::optional<std::uint64_t> ext4_error_count(mounts::DeviceNumber device,
                                              const std::string& sysfs) {
  std::error_code error;
  // The folder of an ext4 has the kernel's name of the device, such as dm-3.
  const auto block_device = std::filesystem::canonical(
      fmt::format("{}/dev/block/{}:{}", sysfs, device.major, device.minor), error);
  std::ifstream file{sysfs + "/fs/ext4/" + block_device.filename().string() + "/errors_count"};
  std::uint64_t count = 0;
  if (error || !(file >> count)) return std::nullopt;
  return count;
}

Result<std::vector<FileSystemError>> recorded_errors(const std::string& fs_type,
                                                     const MountedFileSystem& mounted) {
  std::vector<FileSystemError> errors;
  if (fs_type == "ext4")
    add_if_any(errors, "errors_count", ext4_error_count(mounted.volume.number).value_or(0));
  if (fs_type == "xfs") {
    const auto sick = xfs::sick_metadata(mounted);
    if (!sick) return std::unexpected(sick.error());
    add_if_any(errors, "sick", *sick);
  }
  if (fs_type == "btrfs") {
    const auto counts = btrfs::device_errors(mounted);
    if (!counts) return std::unexpected(counts.error());
    for (std::size_t i = 0; i < counts->size(); ++i)
      add_if_any(errors, btrfs::kErrorKinds.at(i), counts->at(i));
  }
  return errors;
}

}  // namespace lvmd::mounts::mounter
