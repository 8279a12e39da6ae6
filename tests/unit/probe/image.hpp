// A file that stands for a device.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

namespace lvmd::probe {

// A file of 4 MiB of zeros that stands for a device. The destructor removes it.
class Image {
 public:
  Image() {
    std::string name = (std::filesystem::temp_directory_path() / "probe-XXXXXX").string();
    const int fd = ::mkstemp(name.data());
    REQUIRE(fd >= 0);
    ::close(fd);
    path = name;
    std::filesystem::resize_file(path, 4U << 20U);
  }
  ~Image() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  void put(std::streamoff at, const std::string& bytes) const {
    std::fstream file{path, std::ios::binary | std::ios::in | std::ios::out};
    file.seekp(at);
    file << bytes;
    REQUIRE(file.flush());
  }

  // The same as mkswap writes: version 1, 1,023 pages, and the magic number at the end of the first
  // page.
  void make_swap() const {
    put(1024, std::string{"\1\0\0\0\377\3\0\0", 8});
    put(4086, "SWAPSPACE2");
  }

  // The same as fdisk writes: one Linux partition from sector 8 on, and the magic number at the end
  // of the first sector.
  void make_partition_table() const {
    put(446, std::string{"\0\0\0\0\203\0\0\0\10\0\0\0\0\20\0\0", 16});
    put(510, "\125\252");
  }

  std::string path;
};

}  // namespace lvmd::probe
