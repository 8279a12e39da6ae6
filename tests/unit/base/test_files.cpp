#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/base/files.hpp"
#include "lvmd/base/unique_fd.hpp"

using namespace lvmd;

namespace {

std::filesystem::path scratch_file() {
  return std::filesystem::temp_directory_path() / ("lvmd-files-" + std::to_string(::getpid()));
}

}  // namespace

TEST_CASE("all bytes are written, also at an offset", "[base]") {
  const auto path = scratch_file();
  const UniqueFd fd{::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
  REQUIRE(fd);
  REQUIRE(write_all(fd.get(), "first\nsecond\n", "write"));
  CHECK(first_line(path) == "first");
  REQUIRE(write_all_at(fd.get(), "FI", 0, "write"));
  REQUIRE(write_all_at(fd.get(), "ST", 3, "write"));
  CHECK(first_line(path) == "FIrST");
  std::filesystem::remove(path);
}

TEST_CASE("a failed write names what was written", "[base]") {
  const auto done = write_all(-1, "text", "write the text");
  REQUIRE_FALSE(done);
  CHECK(done.error().message.starts_with("write the text: "));
}

TEST_CASE("a missing file has no first line, and a missing process no name", "[base]") {
  CHECK(first_line("/nonexistent/file").empty());
  CHECK_FALSE(program_name(::getpid()).empty());
  CHECK(program_name(-1).empty());
}
