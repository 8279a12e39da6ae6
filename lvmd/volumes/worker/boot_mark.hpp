// A file in /run that records that something was done since the host booted.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::volumes::worker {

class BootMark {
 public:
  // `boot_id`: the kernel's ID of this boot. A file of another boot counts as not set.
  BootMark(std::filesystem::path file, std::string boot_id)
      : file_(std::move(file)), boot_id_(std::move(boot_id)) {}

  // True if set() was called with the same `subject` since the boot. False if the file cannot be
  // read.
  [[nodiscard]] bool is_set(std::string_view subject) const;
  // Replaces the mark of any other subject. Internal, with the file's name, if the file cannot be
  // written.
  [[nodiscard]] Status set(std::string_view subject) const;

 private:
  [[nodiscard]] std::string text_for(std::string_view subject) const;

  std::filesystem::path file_;
  std::string boot_id_;
};

// The contents of /proc/sys/kernel/random/boot_id; empty if it cannot be read.
[[nodiscard]] std::string read_boot_id();

}  // namespace lvmd::volumes::worker
