// A command line for lvm2_run, built from typed arguments.
//
// lvm2_run takes one string, splits it at white space and quotes, and refuses 64 arguments or more.
// This class refuses an argument that lvm2_run would split. It also refuses a caller's value that
// LVM would read as an option.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::lvm {

// The limit of lvm2_run; the name of the command counts.
inline constexpr std::size_t kMaxArguments = 63;

// An argument that cannot be part of a command makes arguments() and line() fail.
class LvmCommand {
 public:
  // `name`: a constant of lvmd, for example "lvcreate".
  explicit LvmCommand(std::string_view name) : arguments_{std::string{name}} {}

  // A constant of lvmd, for example "-y".
  LvmCommand& flag(std::string_view argument);
  // `name`: a constant of lvmd. `value`: from any source; must not begin with '-'.
  LvmCommand& option(std::string_view name, std::string_view value);
  // The same as one argument, "--addtag=value". The value may begin with any character.
  LvmCommand& assignment(std::string_view name, std::string_view value);
  // A name from any source, for example "vg0/lv1"; must not begin with '-'.
  LvmCommand& operand(std::string_view value);
  // `--config` with a value that lvmd composed. The value may contain double quotes.
  LvmCommand& config(std::string_view value);
  // Arguments from lvmd.yaml, options included.
  LvmCommand& configured(std::span<const std::string> arguments);

  // LVM reads only these devices of the host. The paths must come from LVM itself: they override
  // its filters and its devices file. With no path, or with one that no filter can express, LVM
  // selects the devices.
  LvmCommand& only_devices(std::span<const std::string> paths);

  // LVM does not wait until udev has made or removed the volume's links; the caller waits. Not for
  // a command in which LVM itself writes to a new volume: LVM would not find the device node.
  LvmCommand& without_udev_sync();
  [[nodiscard]] bool waits_for_udev() const { return waits_for_udev_; }

  // LVM writes no copies of the metadata into the host's folders for backups and archives; the
  // caller does.
  LvmCommand& without_metadata_backup();

  // LVM does not notify lvmdbusd(8) of the change, which takes a connection to the system bus and a
  // call that waits for its reply.
  LvmCommand& without_dbus_notification();

  // For an lvcreate whose volume may have extents of earlier volumes: the caller, not LVM, zeroes
  // the volume and wipes its signatures. Until then udev does not scan it (WithoutUdevScan). LVM
  // does not wait for udev.
  LvmCommand& wiped_by_caller();
  [[nodiscard]] bool is_wiped_by_caller() const { return wipe_options_.has_value(); }
  // Reverses wiped_by_caller(): LVM wipes the volume, keeps udev from scanning it until then, and
  // waits for udev.
  LvmCommand& wiped_by_lvm();

  // The command with the options that without_udev_sync() requires.
  [[nodiscard]] LvmCommand with_options() const;

  // Settings (lvm.conf(5)) that the command requires, which override those of the host: no wait for
  // locks, volumes are monitored, and what only_devices() and the other methods without_...
  // require. Without blanks and line breaks, as the value of `--config`. The same for most commands
  // of a process.
  [[nodiscard]] std::string settings() const;
  // The devices that LVM reads. Empty if LVM selects them.
  [[nodiscard]] std::span<const std::string> devices() const { return devices_; }

  // The name of the command and its last operand, for logs and for the worker's busy message.
  [[nodiscard]] std::string summary() const;

  // The command's name and its arguments; valid while the command exists. InvalidArgument, with the
  // argument that cannot be part of a command, or with the number of arguments if it is above
  // kMaxArguments.
  [[nodiscard]] Result<std::span<const std::string>> arguments() const;
  // The same joined with spaces. Errors as arguments().
  [[nodiscard]] Result<std::string> line() const;

 private:
  enum class Origin { kLvmd, kCaller, kConfiguration, kSettings };
  void add(std::string_view argument, Origin origin);

  std::vector<std::string> arguments_;
  std::string last_operand_;
  bool waits_for_udev_ = true;
  bool backs_up_metadata_ = true;
  bool notifies_dbus_ = true;
  // The index of the first option that wiped_by_caller() added.
  std::optional<std::size_t> wipe_options_;
  std::vector<std::string> devices_;
  std::string device_settings_;
  std::optional<Error> error_;
};

}  // namespace lvmd::lvm
