// A child process and its control channel.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/ipc/channel.hpp"

namespace lvmd::supervisor {

// A program file, opened once: a file that replaces it at its path later is not executed. The
// supervisor opens all programs when it starts, so that it and its children belong to one
// installation while the files are replaced.
class ProgramFile {
 public:
  [[nodiscard]] static Result<ProgramFile> open(const std::string& path);

  // The path that the file was opened with.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int fd() const { return file_.get(); }

 private:
  ProgramFile(std::string path, UniqueFd file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  UniqueFd file_;
};

struct Program {
  const ProgramFile& file;
  // Shown by ps(1). Without argv[0], which is the program's path.
  std::vector<std::string> arguments;
  // Runs in the child before exec. If it returns an Error, the program is not started.
  std::function<Status()> confine;
};

struct Child {
  pid_t pid = 0;
  std::chrono::steady_clock::time_point started;
  ipc::Channel control;
  bool ready = false;
};

// Starts `program`. Its standard input is one end of a new control channel; it inherits stdout and
// stderr and no other descriptor, and its signal mask is empty. The caller must be single-threaded.
[[nodiscard]] Result<Child> spawn(const Program& program);

}  // namespace lvmd::supervisor
