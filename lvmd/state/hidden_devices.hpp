// Hides devices from one LVM command, and leaves all else that the host's configuration says in
// force.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::state {

// What was made for it goes with the object.
class HiddenDevices {
 public:
  // Runs an LVM command (its words) and gives what it printed.
  using RunLvm = std::function<Result<std::string>(std::vector<std::string>)>;

  // `devices` are names below /dev ("sdb", "dm-3"). Asks LVM for the configuration in force,
  // without reading a device. Errors as RunLvm tells them, or Internal when no copy can be made.
  [[nodiscard]] static Result<HiddenDevices> make(const std::vector<std::string>& devices,
                                                  const RunLvm& run_lvm);
  HiddenDevices(HiddenDevices&&) noexcept = default;
  HiddenDevices& operator=(HiddenDevices&&) = delete;
  ~HiddenDevices();

  // To be appended to the value of --config.
  [[nodiscard]] const std::string& settings() const { return settings_; }
  // "NAME=value".
  [[nodiscard]] const std::vector<std::string>& environment() const { return environment_; }

 private:
  HiddenDevices() = default;
  [[nodiscard]] Status copy_configuration(const std::string& devices_file,
                                          const std::vector<std::string>& devices);

  std::string settings_;
  std::vector<std::string> environment_;
  // The copy of LVM's configuration; empty: none was needed.
  std::filesystem::path directory_;
};

// global_filter with `paths` rejected before what it has; `filter` is its value as lvmconfig prints
// it
// (`["a|.*|"]`), or empty. Pure.
[[nodiscard]] std::string filter_without(const std::vector<std::string>& paths,
                                         const std::string& filter);

// A devices file without the entries of a device that has one of `paths`, or one of `ids` (the
// device's IDNAME). Pure.
[[nodiscard]] std::string devices_file_without(const std::string& text,
                                               const std::vector<std::string>& paths,
                                               const std::vector<std::string>& ids);

}  // namespace lvmd::state
