#include "lvmd/state/device_probe.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <string_view>
#include <system_error>
#include <thread>

#include "lvmd/base/files.hpp"

namespace lvmd::state {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::size_t kProbeSize = 4096;
constexpr auto kPause = 10ms;
constexpr const char* kBlockDevices = "/sys/block";

// True if LVM probably scans the device.
bool is_candidate(const std::filesystem::path& device) {
  const std::string name = device.filename();
  if (name.starts_with("ram") || name.starts_with("zram") || name.starts_with("sr") ||
      name.starts_with("fd"))
    return false;
  const std::string size = first_line(device / "size");
  return !size.empty() && size != "0" && !first_line(device / "dm/uuid").starts_with("LVM-");
}

// Never returns. After fork(), only system calls are allowed.
[[noreturn]] void read_and_exit(const char* path) {
  alignas(kProbeSize) static std::array<char, kProbeSize> buffer;
  const int fd = ::open(path, O_RDONLY | O_DIRECT | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0) static_cast<void>(::pread(fd, buffer.data(), buffer.size(), 0) > 0);
  ::_exit(0);
}

// Adds udev's links below /dev for the device with this number.
void add_links(const std::string& number, std::vector<std::string>& paths) {
  std::ifstream file{"/run/udev/data/b" + number};
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("S:")) paths.push_back("/dev/" + line.substr(2));
}

void add_device(const std::filesystem::path& device, std::vector<std::string>& paths) {
  paths.push_back("/dev/" + device.filename().string());
  if (const std::string name = first_line(device / "dm/name"); !name.empty())
    paths.push_back("/dev/mapper/" + name);
  add_links(first_line(device / "dev"), paths);
}

}  // namespace

void DeviceProbe::reap() {
  std::erase_if(readers_, [](const auto& item) {
    int status = 0;
    const pid_t ended = ::waitpid(item.second, &status, WNOHANG);
    return ended == item.second || (ended < 0 && errno == ECHILD);
  });
}

std::vector<std::string> DeviceProbe::still_unresponsive() {
  reap();
  const auto names = std::views::keys(readers_);
  return {names.begin(), names.end()};
}

Result<std::vector<std::string>> DeviceProbe::unresponsive() {
  reap();
  std::error_code error;
  std::filesystem::directory_iterator device{block_devices_, error};
  for (; !error && device != std::filesystem::directory_iterator{}; device.increment(error)) {
    const std::string name = device->path().filename();
    if (readers_.contains(name) || !is_candidate(device->path())) continue;
    const std::string path = "/dev/" + name;
    const pid_t pid = ::fork();
    if (pid < 0) return fail_errno(errno, "fork");
    if (pid == 0) read_and_exit(path.c_str());
    readers_.emplace(name, pid);
  }
  if (error) return fail(Code::kInternal, "{}: {}", block_devices_, error.message());
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (reap(); !readers_.empty() && std::chrono::steady_clock::now() < deadline; reap())
    std::this_thread::sleep_for(kPause);
  // A reader ends as soon as the kernel ends its read.
  for (const auto& [name, pid] : readers_) ::kill(pid, SIGKILL);
  return still_unresponsive();
}

std::vector<std::string> paths_of(const std::string& device) {
  const std::filesystem::path folder = std::filesystem::path{kBlockDevices} / device;
  std::vector<std::string> paths;
  add_device(folder, paths);
  std::error_code error;
  std::filesystem::directory_iterator part{folder, error};
  for (; !error && part != std::filesystem::directory_iterator{}; part.increment(error))
    if (std::filesystem::exists(part->path() / "partition")) add_device(part->path(), paths);
  std::ranges::sort(paths);
  return paths;
}

}  // namespace lvmd::state
