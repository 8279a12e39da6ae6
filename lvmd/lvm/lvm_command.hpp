// A command line for lvm2_run, built from typed words.
//
// lvm2_run takes one string and splits it at blanks and quotes, and refuses 64 words or more. So a
// word that could be split, or that came from a caller and could pass for an option, can't be
// built.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::lvm {

// lvm2_run's own limit, the verb included.
inline constexpr std::size_t kMaxWords = 63;

class LvmCommand {
 public:
  // `verb` is one of ours ("lvcreate").
  explicit LvmCommand(std::string_view verb) : words_{std::string{verb}} {}

  // A word of ours ("-y").
  LvmCommand& flag(std::string_view word);
  // An option of ours with a value from anywhere: the value must not begin with '-'.
  LvmCommand& option(std::string_view name, std::string_view value);
  // The same as one word, "--addtag=value", for values that may begin with any character.
  LvmCommand& assignment(std::string_view name, std::string_view value);
  // A name from anywhere ("vg0/lv1"): must not begin with '-'.
  LvmCommand& operand(std::string_view value);
  // `--config` and its value, of ours; a value may have quotes inside.
  LvmCommand& config(std::string_view value);
  // Words of the administrator's configuration: options are what they are for.
  LvmCommand& configured(std::span<const std::string> words);

  // LVM looks at these devices only, and at no other on the host. The paths are those that LVM
  // itself gave: what its filters or its devices file refuse is not among them. None: LVM's own
  // choice.
  LvmCommand& only_devices(std::span<const std::string> paths);

  // LVM is not to wait until udev has made or removed the volume's links: the caller does. Not for
  // a command in which LVM writes to a new volume itself: it would not find the node.
  LvmCommand& without_udev_sync();
  [[nodiscard]] bool waits_for_udev() const { return waits_for_udev_; }

  // For lvcreate of a volume that has the extents of earlier ones: the caller zeroes and wipes the
  // volume, not LVM. Until the caller has, udev doesn't look into the volume (WithoutUdevScan). LVM
  // doesn't wait for udev.
  LvmCommand& wiped_by_caller();
  [[nodiscard]] bool is_wiped_by_caller() const { return wipe_words_.has_value(); }
  // Takes it back: LVM wipes the volume, waits for udev, and keeps udev from looking until then.
  LvmCommand& wiped_by_lvm();

  // The `--config` word that makes it so, and what lvmd relies on in every command: locks are not
  // waited for, volumes are monitored.
  [[nodiscard]] std::string settings() const;

  // The verb and its last operand, for logs and for telling what a worker is busy with.
  [[nodiscard]] std::string summary() const;

  // Verb and words. InvalidArgument naming the word that can't be part of a command, or the number
  // of words when there are too many. As long-lived as the command.
  [[nodiscard]] Result<std::span<const std::string>> words() const;
  // The whole line, blank-separated; errors as words().
  [[nodiscard]] Result<std::string> line() const;

 private:
  enum class Origin { kOurs, kCaller, kConfiguration, kSettings };
  void add(std::string_view word, Origin origin);

  std::vector<std::string> words_;
  std::string last_operand_;
  bool waits_for_udev_ = true;
  // Where the words of wiped_by_caller() begin.
  std::optional<std::size_t> wipe_words_;
  std::vector<std::string> devices_;
  std::optional<Error> error_;
};

}  // namespace lvmd::lvm
