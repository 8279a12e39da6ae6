#include "lvmd/mounts/table/file_users.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include "lvmd/base/files.hpp"
#include "lvmd/base/parse_number.hpp"

namespace lvmd::mounts {
namespace {

namespace fs = std::filesystem;

using Devices = std::span<const DeviceNumber>;

std::optional<struct statx> file_at(const fs::path& link) {
  struct statx status{};
  // Uses the cached attributes: an unreachable file server must not block this process.
  if (::statx(AT_FDCWD, link.c_str(), AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE, &status) !=
      0)
    return std::nullopt;
  return status;
}

bool leads_to(const fs::path& link, Devices devices) {
  const auto file = file_at(link);
  if (!file) return false;
  const DeviceNumber there{.major = file->stx_dev_major, .minor = file->stx_dev_minor};
  return std::ranges::find(devices, there) != devices.end();
}

bool leads_to_device(const fs::path& link, DeviceNumber device) {
  const auto file = file_at(link);
  return file && S_ISBLK(file->stx_mode) &&
         device == DeviceNumber{.major = file->stx_rdev_major, .minor = file->stx_rdev_minor};
}

template <typename Matches>
bool any_open_file(const fs::path& directory, Matches matches) {
  std::error_code error;
  for (fs::directory_iterator entry{directory, error}; !error && entry != fs::directory_iterator{};
       entry.increment(error))
    if (matches(entry->path())) return true;
  return false;
}

// A line is "start-end rwxp offset major:minor inode path"; the numbers are hexadecimal.
bool any_mapped_file(const fs::path& maps, Devices devices) {
  std::ifstream file{maps};
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields{line};
    std::string range;
    std::string mode;
    std::string offset;
    std::string number;
    if (!(fields >> range >> mode >> offset >> number)) continue;
    if (std::ranges::any_of(devices, [&number](const DeviceNumber& device) {
          return number == fmt::format("{:02x}:{:02x}", device.major, device.minor);
        }))
      return true;
  }
  return false;
}

bool uses(const fs::path& process, Devices devices) {
  for (const char* const link : {"cwd", "root", "exe"})
    if (leads_to(process / link, devices)) return true;
  const auto on_device = [devices](const fs::path& link) { return leads_to(link, devices); };
  return any_open_file(process / "fd", on_device) || any_mapped_file(process / "maps", devices);
}

// `matches` gets the directory of a process in `proc`.
template <typename Matches>
Result<std::vector<Process>> processes(const std::string& proc, Matches matches) {
  std::vector<Process> found;
  std::error_code error;
  fs::directory_iterator entry{proc, error};
  for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const auto pid = parse_number<pid_t>(name);
    if (pid && matches(entry->path()))
      found.push_back({.pid = *pid, .program = first_line(entry->path() / "comm")});
  }
  if (error) return fail(Code::kInternal, "cannot read {}: {}", proc, error.message());
  std::ranges::sort(found, {}, &Process::pid);
  return found;
}

}  // namespace

Result<std::vector<Process>> processes_using(Devices devices, const std::string& proc) {
  return processes(proc, [devices](const fs::path& process) { return uses(process, devices); });
}

Result<std::vector<Process>> processes_with_device(DeviceNumber device, const std::string& proc) {
  const auto is_device = [device](const fs::path& link) { return leads_to_device(link, device); };
  return processes(proc, [&is_device](const fs::path& process) {
    return any_open_file(process / "fd", is_device);
  });
}

}  // namespace lvmd::mounts
