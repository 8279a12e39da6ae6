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

// A program as it was when it was opened: a file that replaces it at its path is not executed. The
// supervisor opens all programs when it starts, so that it and its children are of one installation
// while the files are being replaced.
class ProgramFile {
 public:
  [[nodiscard]] static Result<ProgramFile> open(const std::string& path);

  // The path that it was opened by.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int fd() const { return file_.get(); }

 private:
  ProgramFile(std::string path, UniqueFd file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  UniqueFd file_;
};

struct Program {
  const ProgramFile& file;
  // Without the program's own name, which is its path; for ps(1).
  std::vector<std::string> arguments;
  // Runs in the child before its exec. An Error there ends the child with exit code 126.
  std::function<Status()> confine;
};

struct Child {
  pid_t pid = 0;
  std::chrono::steady_clock::time_point started;
  ipc::Channel control;
  bool ready = false;
};

// Starts `program` with one end of a new control channel as its standard input, stdout and stderr
// as ours, no other descriptor, and the signal mask empty. The caller is single-threaded.
[[nodiscard]] Result<Child> spawn(const Program& program);

}  // namespace lvmd::supervisor
