// Hides devices from one LVM command. All other settings of the host stay in force.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::state {

// The destructor removes the temporary files.
class HiddenDevices {
 public:
  // Runs an LVM command with these arguments and returns its output.
  using RunLvm = std::function<Result<std::string>(std::vector<std::string>)>;

  // `devices` are names below /dev ("sdb", "dm-3"). Queries LVM's effective configuration, without
  // reading a device. Errors are those of RunLvm, or Internal if the configuration cannot be
  // copied.
  [[nodiscard]] static Result<HiddenDevices> make(const std::vector<std::string>& devices,
                                                  const RunLvm& run_lvm);
  HiddenDevices(const HiddenDevices&) = delete;
  HiddenDevices& operator=(const HiddenDevices&) = delete;
  HiddenDevices(HiddenDevices&&) noexcept = default;
  HiddenDevices& operator=(HiddenDevices&&) = delete;
  ~HiddenDevices();

  // Settings to be appended to the value of --config.
  [[nodiscard]] const std::string& settings() const { return settings_; }
  // Environment variables "NAME=value" for the command.
  [[nodiscard]] const std::vector<std::string>& environment() const { return environment_; }

 private:
  HiddenDevices() = default;
  [[nodiscard]] Status copy_configuration(const std::string& devices_file,
                                          const std::vector<std::string>& devices);

  std::string settings_;
  std::vector<std::string> environment_;
  // The folder with the copy of LVM's configuration. Empty: not needed.
  std::filesystem::path directory_;
};

// A global_filter that rejects `paths` before the patterns of `filter`. `filter` is the value in
// lvmconfig's output (`["a|.*|"]`), or empty. Pure.
[[nodiscard]] std::string filter_without(const std::vector<std::string>& paths,
                                         const std::string& filter);

// The devices file `text` without the entries of devices with one of the `paths`, or one of the
// `ids` (IDNAME). Pure.
[[nodiscard]] std::string devices_file_without(const std::string& text,
                                               const std::vector<std::string>& paths,
                                               const std::vector<std::string>& ids);

}  // namespace lvmd::state
