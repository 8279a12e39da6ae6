#include "lvmd/worker/udev_rule.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <system_error>

#include "lvmd/base/log.hpp"

namespace lvmd::worker {
namespace {

namespace fs = std::filesystem;

// Where the rule looks for records.
constexpr const char* kStateDirectory = "/var/lib/lvmd";

// A link to /dev/null, which switches a rule off, counts too.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

bool is_in_force(const fs::path& rule, const fs::path& state_directory) {
  if (state_directory != kStateDirectory || !is_there(rule)) return false;
  return !is_there("/etc/udev/rules.d" / rule.filename()) &&
         !is_there("/run/udev/rules.d" / rule.filename());
}

}  // namespace

UdevRule find_udev_rule(const fs::path& state_directory) {
  if (is_in_force(LVMD_UDEV_RULE, state_directory)) return UdevRule::kInstalled;
  log::notice(
      fmt::format("{} is not in force, so LVM wipes new volumes and waits for udev itself, "
                  "which takes longer",
                  LVMD_UDEV_RULE));
  return UdevRule::kMissing;
}

void look_again(const model::DeviceState& device) {
  const std::string path = fmt::format("/sys/dev/block/{}:{}/uevent", device.major, device.minor);
  std::ofstream file{path};
  file << "change";
  if (!file.flush())
    log::warning(
        fmt::format("{} can't be written: udev has not looked into the new volume yet, "
                    "and does so at its next event",
                    path));
}

}  // namespace lvmd::worker
