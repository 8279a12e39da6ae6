#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lvmd/supervisor/child.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::supervisor;

namespace {

int exit_code_of(const ProgramFile& program) {
  const auto child = spawn({.file = program, .arguments = {}, .confine = {}});
  REQUIRE(child);
  int status = 0;
  REQUIRE(::waitpid(child->pid, &status, 0) == child->pid);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

}  // namespace

TEST_CASE(
    "a child executes the file that was opened, also when another file replaced it [P-RUN-22]",
    "[supervisor]") {
  const ScratchDirectory directory;
  const std::string path = directory.file("program");
  std::filesystem::copy_file("/bin/true", path);
  const auto old = ProgramFile::open(path);
  REQUIRE(old);
  CHECK(exit_code_of(*old) == 0);
  std::filesystem::copy_file("/bin/false", directory.file("new"));
  std::filesystem::rename(directory.file("new"), path);
  CHECK(exit_code_of(*old) == 0);
  const auto renewed = ProgramFile::open(path);
  REQUIRE(renewed);
  CHECK(exit_code_of(*renewed) == 1);
  std::filesystem::remove(path);
  CHECK(exit_code_of(*old) == 0);
}

TEST_CASE("the error for a missing program names it [P-RUN-22]", "[supervisor]") {
  const auto program = ProgramFile::open("/nonexistent/lvmd-server");
  REQUIRE_FALSE(program);
  CHECK(program.error().message.find("/nonexistent/lvmd-server") != std::string::npos);
}
