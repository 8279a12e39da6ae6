// A folder for LVM_SYSTEM_DIR (lvm(8)) with the host's configuration of LVM and settings of this
// process.
//
// With `--config`, LVM forgets its configuration and its list of devices twice in each command, and
// reads all of it again. With the settings in a file, LVM does so only if a file has changed
// (docs/adr/0033).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::lvm {

// The environment variable with the path of LVM's folder.
inline constexpr const char* kSystemDirectory = "LVM_SYSTEM_DIR";

// LVM keeps the names of removed volumes in its list of devices. After so many commands it has to
// forget them.
inline constexpr unsigned kCommandsOfOneList = 100;

// One thread.
class SystemDirectory {
 public:
  // Creates the folder `path`, which belongs to this process alone; removes what is there. `host`:
  // the host's folder. Creates its folders "backup" and "archive" as LVM does, because LVM cannot
  // create them in place of a link. An Error if a folder cannot be created.
  [[nodiscard]] static Result<SystemDirectory> create(std::filesystem::path path,
                                                      std::filesystem::path host);

  // Call it before each command. Afterwards the folder has the host's configuration as it is now,
  // and `settings`, which override it. `settings` has the syntax of lvm.conf(5). `devices`: the
  // device nodes that LVM reads; if one of them is another device than before, or if there are
  // none, LVM makes its list of devices anew. Unavailable, HOST_DISK_UNUSABLE, if the folder cannot
  // be written to.
  [[nodiscard]] Status update(std::string_view settings, std::span<const std::string> devices);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] const std::filesystem::path& host() const { return host_; }

 private:
  SystemDirectory(std::filesystem::path path, std::filesystem::path host)
      : path_(std::move(path)), host_(std::move(host)) {}

  // Differs if the files must be written.
  [[nodiscard]] std::string inputs(std::string_view settings,
                                   std::span<const std::string> devices) const;
  [[nodiscard]] Status write(std::string_view settings, std::span<const std::string> devices);

  std::filesystem::path path_;
  std::filesystem::path host_;
  // The names of the host's files whose settings override those of lvm.conf.
  std::vector<std::string> overriding_;
  // The inputs() of the last write(). Empty before it.
  std::string written_;
  unsigned writes_ = 0;
  // Since the last write().
  unsigned commands_ = 0;
};

}  // namespace lvmd::lvm
