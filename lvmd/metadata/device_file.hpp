// A block device opened for reading what is on the disk, not what the page cache remembers.
#pragma once

#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::metadata {

// Reads only; the descriptor is closed with the object, so that no device is kept busy. A plain
// file on a file system that knows O_DIRECT works too. One thread at a time.
class DeviceFile {
 public:
  static constexpr int kOpenFlags = O_RDONLY | O_DIRECT | O_CLOEXEC;

  // Errors as errno_error tells them, naming the path.
  [[nodiscard]] static Result<DeviceFile> open(const std::string& path);

  // Exactly `size` bytes from `offset` on, both of any alignment. Internal when the device ends
  // before, or can't be read there.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::size_t size) const;

  // Tells devices apart whatever path they were opened by.
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
