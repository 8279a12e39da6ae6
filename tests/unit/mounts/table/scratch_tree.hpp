// A temporary directory tree that one case uses.
#pragma once

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace lvmd::mounts {

class ScratchTree {
 public:
  ScratchTree() {
    std::string name = (std::filesystem::temp_directory_path() / "mount-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~ScratchTree() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  ScratchTree(const ScratchTree&) = delete;
  ScratchTree& operator=(const ScratchTree&) = delete;

  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream{path / name} << text;
    return path / name;
  }

  std::filesystem::path path;
};

}  // namespace lvmd::mounts
