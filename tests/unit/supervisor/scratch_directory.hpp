// A temporary directory for one test.
#pragma once

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace lvmd::supervisor {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    path_ = (std::filesystem::temp_directory_path() / "lvmd-unit-XXXXXX").string();
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string file(std::string_view name) const {
    return path_ + "/" + std::string{name};
  }
  [[nodiscard]] std::string write(std::string_view name, std::string_view text) const {
    std::ofstream{file(name)} << text;
    return file(name);
  }

 private:
  std::string path_;
};

}  // namespace lvmd::supervisor
