// A file in /run that says: this has been done since the host booted.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::volumes::worker {

class BootMark {
 public:
  // `boot_id` is the kernel's for this boot: a file that outlived a boot says nothing.
  BootMark(std::filesystem::path file, std::string boot_id)
      : file_(std::move(file)), boot_id_(std::move(boot_id)) {}

  // Whether set() was called with the same `subject` since the boot. A file that can't be read says
  // no.
  [[nodiscard]] bool is_set(std::string_view subject) const;
  // Replaces the mark of any other subject. Internal, naming the file, when it can't be written.
  [[nodiscard]] Status set(std::string_view subject) const;

 private:
  [[nodiscard]] std::string text_for(std::string_view subject) const;

  std::filesystem::path file_;
  std::string boot_id_;
};

// /proc/sys/kernel/random/boot_id; empty when it can't be read.
[[nodiscard]] std::string read_boot_id();

}  // namespace lvmd::volumes::worker
