#include "lvmd/state/hidden_devices.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "lvmd/base/files.hpp"
#include "lvmd/state/device_probe.hpp"

namespace lvmd::state {
namespace {

constexpr const char* kSystemDirectory = "/etc/lvm";
constexpr std::string_view kDefaultFilter = R"(["a|.*|"])";
constexpr const char* kCopy = "/run/lvmd/lvm-XXXXXX";

std::string whole(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream{path}.rdbuf();
  return text.str();
}

// The value of the line `key=value` in lvmconfig's output; empty if there is none.
std::string value_of(std::string_view printed, std::string_view key) {
  while (!printed.empty()) {
    const std::string_view line = printed.substr(0, printed.find('\n'));
    printed.remove_prefix(std::min(line.size() + 1, printed.size()));
    if (line.starts_with(key) && line.substr(key.size()).starts_with('='))
      return std::string{line.substr(key.size() + 1)};
  }
  return {};
}

std::string without_quotes(std::string text) {
  std::erase(text, '"');
  return text;
}

// The ids by which a devices file can identify the device.
std::vector<std::string> ids_of(const std::string& device) {
  std::vector<std::string> ids;
  const std::filesystem::path folder = std::filesystem::path{"/sys/block"} / device;
  for (const char* const name : {"wwid", "device/wwid", "serial", "device/serial", "dm/uuid",
                                 "md/uuid", "loop/backing_file"})
    if (std::string id = first_line(folder / name); !id.empty()) ids.push_back(std::move(id));
  return ids;
}

}  // namespace

std::string filter_without(const std::vector<std::string>& paths, const std::string& filter) {
  std::string result = "[";
  for (const std::string& path : paths) {
    std::string pattern;
    // A dot matches any character: it is safer to hide a device too many.
    for (const char c : path)
      pattern += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '-' ? c : '.';
    result += fmt::format(R"("r|^{}$|",)", pattern);
  }
  // LVM uses a device if the filter accepts any of its names. The default filter accepts all names,
  // so it must be left out. Then one rejected name is sufficient.
  if (filter == kDefaultFilter) {
    result.pop_back();
    return result + "]";
  }
  const std::size_t begin = filter.find('[');
  const std::size_t end = filter.rfind(']');
  if (begin != std::string::npos && end != std::string::npos && end > begin)
    result += filter.substr(begin + 1, end - begin - 1);
  else if (!filter.empty())
    result += filter;
  while (result.ends_with(',') || result.ends_with(' ')) result.pop_back();
  return result + "]";
}

std::string devices_file_without(const std::string& text, const std::vector<std::string>& paths,
                                 const std::vector<std::string>& ids) {
  const auto is_of = [](const std::string& line, std::string_view key,
                        const std::vector<std::string>& values) {
    std::istringstream fields{line};
    for (std::string field; fields >> field;)
      if (field.starts_with(key) &&
          std::ranges::find(values, field.substr(key.size())) != values.end())
        return true;
    return false;
  };
  std::istringstream lines{text};
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (!is_of(line, "DEVNAME=", paths) && !is_of(line, "IDNAME=", paths) &&
        !is_of(line, "IDNAME=", ids))
      kept += line + '\n';
  return kept;
}

Status HiddenDevices::copy_configuration(const std::string& devices_file,
                                         const std::vector<std::string>& devices) {
  std::vector<std::string> paths;
  std::vector<std::string> ids;
  for (const std::string& device : devices) {
    std::ranges::copy(paths_of(device), std::back_inserter(paths));
    std::ranges::copy(ids_of(device), std::back_inserter(ids));
  }
  std::string name = kCopy;
  if (::mkdtemp(name.data()) == nullptr) return fail_errno(errno, name);
  directory_ = name;
  const std::filesystem::path system{kSystemDirectory};
  std::error_code error;
  for (std::filesystem::directory_iterator entry{system, error};
       !error && entry != std::filesystem::directory_iterator{}; entry.increment(error))
    if (entry->path().filename() != "devices")
      std::filesystem::create_symlink(entry->path(), directory_ / entry->path().filename(), error);
  if (!error) std::filesystem::create_directory(directory_ / "devices", error);
  if (error) return fail(Code::kInternal, "{}: {}", name, error.message());
  const std::filesystem::path copy = directory_ / "devices" / devices_file;
  std::ofstream file{copy};
  file << devices_file_without(whole(system / "devices" / devices_file), paths, ids);
  file.close();
  if (!file) return fail(Code::kInternal, "cannot write {}", copy.string());
  environment_.push_back(fmt::format("LVM_SYSTEM_DIR={}", name));
  // Without this setting, LVM would search all devices for an entry that is identified by name
  // only.
  settings_ = R"(devices{search_for_devnames="none"})";
  return {};
}

Result<HiddenDevices> HiddenDevices::make(const std::vector<std::string>& devices,
                                          const RunLvm& run_lvm) {
  const auto printed = run_lvm({"lvmconfig", "--type", "full", "devices/use_devicesfile",
                                "devices/devicesfile", "devices/global_filter"});
  if (!printed) return std::unexpected(printed.error());
  HiddenDevices hidden;
  const std::string devices_file = without_quotes(value_of(*printed, "devicesfile"));
  std::error_code error;
  if (value_of(*printed, "use_devicesfile") == "1" && !devices_file.empty() &&
      std::filesystem::exists(std::filesystem::path{kSystemDirectory} / "devices" / devices_file,
                              error)) {
    if (auto copied = hidden.copy_configuration(devices_file, devices); !copied)
      return std::unexpected(copied.error());
    return hidden;
  }
  std::vector<std::string> paths;
  for (const std::string& device : devices)
    std::ranges::copy(paths_of(device), std::back_inserter(paths));
  hidden.settings_ = fmt::format("devices{{global_filter={}}}",
                                 filter_without(paths, value_of(*printed, "global_filter")));
  return hidden;
}

HiddenDevices::~HiddenDevices() {
  std::error_code ignored;
  if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
}

}  // namespace lvmd::state
