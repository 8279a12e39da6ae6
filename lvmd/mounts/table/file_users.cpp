#include "lvmd/mounts/table/file_users.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "lvmd/base/files.hpp"
#include "lvmd/base/parse_number.hpp"

namespace lvmd::mounts {
namespace {

namespace fs = std::filesystem;

using Devices = std::span<const DeviceNumber>;

bool leads_to(const fs::path& link, Devices devices) {
  struct statx status{};
  // Uses the cached attributes: an unreachable file server must not block this process.
  if (::statx(AT_FDCWD, link.c_str(), AT_STATX_DONT_SYNC | AT_NO_AUTOMOUNT, STATX_TYPE, &status) !=
      0)
    return false;
  const DeviceNumber there{.major = status.stx_dev_major, .minor = status.stx_dev_minor};
  return std::ranges::find(devices, there) != devices.end();
}

bool any_open_file(const fs::path& directory, Devices devices) {
  std::error_code error;
  for (fs::directory_iterator entry{directory, error}; !error && entry != fs::directory_iterator{};
       entry.increment(error))
    if (leads_to(entry->path(), devices)) return true;
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
  return any_open_file(process / "fd", devices) || any_mapped_file(process / "maps", devices);
}

}  // namespace

Result<std::vector<Process>> processes_using(Devices devices, const std::string& proc) {
  std::vector<Process> found;
  std::error_code error;
  fs::directory_iterator entry{proc, error};
  for (; !error && entry != fs::directory_iterator{}; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const auto pid = parse_number<pid_t>(name);
    if (pid && uses(entry->path(), devices))
      found.push_back({.pid = *pid, .program = first_line(entry->path() / "comm")});
  }
  if (error) return fail(Code::kInternal, "cannot read {}: {}", proc, error.message());
  std::ranges::sort(found, {}, &Process::pid);
  return found;
}

}  // namespace lvmd::mounts
