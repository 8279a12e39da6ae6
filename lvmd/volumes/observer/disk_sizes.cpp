#include "lvmd/volumes/observer/disk_sizes.hpp"

#include <fmt/format.h>
#include <sys/sysmacros.h>

#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "lvmd/base/parse_number.hpp"

namespace lvmd::volumes::observer {
namespace {

// The size in sectors; 0 if the disk does not exist, has no medium, or is an LVM volume.
std::uint64_t size_of(const std::filesystem::path& disk) {
  std::string uuid;
  if (std::ifstream{disk / "dm/uuid"} >> uuid && uuid.starts_with("LVM-")) return 0;
  std::uint64_t sectors = 0;
  std::ifstream{disk / "size"} >> sectors;
  return sectors;
}

}  // namespace

DiskSizes::DiskSizes(std::filesystem::path sysfs) : sysfs_(std::move(sysfs)) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator{sysfs_ / "dev/block", error}) {
    // The kernel's "MAJOR:MINOR".
    const std::string name = entry.path().filename();
    const std::string_view number = name;
    const std::size_t colon = std::min(number.find(':'), number.size() - 1);
    const auto major = parse_number<unsigned>(number.substr(0, colon));
    const auto minor = parse_number<unsigned>(number.substr(colon + 1));
    if (major && minor) static_cast<void>(update(makedev(*major, *minor)));
  }
}

DiskSizes::Change DiskSizes::update(dev_t device) {
  const std::uint64_t now =
      size_of(sysfs_ / "dev/block" / fmt::format("{}:{}", major(device), minor(device)));
  if (now == 0) return sizes_.erase(device) == 0 ? Change::kNone : Change::kGone;
  return std::exchange(sizes_[device], now) == now ? Change::kNone : Change::kAppeared;
}

}  // namespace lvmd::volumes::observer
