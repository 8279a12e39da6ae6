#include "lvmd/volumes/worker/udev_scans.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "lvmd/base/log.hpp"

namespace lvmd::volumes::worker {
namespace {

// Whether udev has not scanned the device since LVM activated it. True if udev has not yet handled
// the activation: the event of the scan follows it.
bool is_unscanned(const std::filesystem::path& database, const model::DeviceState& device,
                  const std::string& link) {
  std::ifstream file{database / fmt::format("b{}:{}", device.major, device.minor)};
  const std::string handled = "S:" + link.substr(std::string_view{"/dev/"}.size());
  bool is_handled = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "E:DM_NOSCAN=1") return true;
    is_handled = is_handled || line == handled;
  }
  return !is_handled;
}

}  // namespace

void UdevScans::add(const model::DeviceState& device, std::string link) {
  volumes_.push_back({.device = device, .link = std::move(link), .limit = now_() + kLimit});
  postpone();
}

void UdevScans::postpone() { rest_ = now_() + kRest; }

std::optional<std::chrono::milliseconds> UdevScans::due() const {
  if (volumes_.empty()) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(
      std::min(rest_, volumes_.front().limit) - now_());
  return std::max(left, std::chrono::milliseconds{0});
}

void UdevScans::work() {
  if (volumes_.empty()) return;
  const auto [device, link, limit] = std::move(volumes_.front());
  volumes_.pop_front();
  const std::filesystem::path path =
      devices_ / fmt::format("{}:{}", device.major, device.minor) / "uevent";
  // The volume may have been removed.
  if (!std::filesystem::exists(path) || !is_unscanned(database_, device, link)) return;
  std::ofstream file{path};
  file << "change" << std::flush;
  if (!file)
    log::warning(fmt::format(
        "cannot write {}, so udev scans the device only after a program has written to it",
        path.string()));
}

void UdevScans::finish() {
  while (!volumes_.empty()) work();
}

}  // namespace lvmd::volumes::worker
