// A block device, read without the page cache.
#pragma once

#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::metadata {

// Read-only. The destructor closes the descriptor, so that the device is not busy. Also works with
// a regular file if the file system supports O_DIRECT. Not thread-safe.
class DeviceFile {
 public:
  static constexpr int kOpenFlags = O_RDONLY | O_DIRECT | O_CLOEXEC;

  // Errors are those of errno_error(), with the path.
  [[nodiscard]] static Result<DeviceFile> open(const std::string& path);

  // Reads exactly `size` bytes from `offset`. Both can have any alignment. Internal if the device
  // is too short; errno_error() if it cannot be read.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::size_t size) const;

  // Identifies the device, regardless of the path.
  struct Identity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;

    friend auto operator<=>(const Identity&, const Identity&) = default;
  };
  [[nodiscard]] Identity identity() const { return identity_; }

 private:
  DeviceFile(std::string path, UniqueFd fd, Identity identity)
      : path_(std::move(path)), fd_(std::move(fd)), identity_(identity) {}

  std::string path_;
  UniqueFd fd_;
  Identity identity_;
};

}  // namespace lvmd::metadata
