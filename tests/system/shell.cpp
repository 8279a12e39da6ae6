#include "tests/system/shell.hpp"

#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

namespace lvmd::system_tests {
namespace {

// How much longer a case waits on an emulated processor than on a real one.
int time_factor() {
  static const int kFactor = [] {
    std::ifstream file{"/proc/cpuinfo"};
    const std::string processors{std::istreambuf_iterator<char>{file}, {}};
    return processors.find("QEMU TCG") == std::string::npos ? 1 : 4;
  }();
  return kFactor;
}

}  // namespace

Done shell(const std::string& command) {
  // Quoted for sh, which popen() runs: bash gets the command as one word.
  std::string quoted = "exec bash -c '";
  for (const char c : command) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
  quoted += "' 2>&1 </dev/null";
  // NOLINTNEXTLINE(cert-env33-c): the command is a case's own
  FILE* const pipe = ::popen(quoted.c_str(), "re");
  if (pipe == nullptr) return {.exit_code = 127, .output = "popen failed"};
  Done done;
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe))
    done.output.append(part.data(), size);
  const int status = ::pclose(pipe);
  done.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return done;
}

std::string output_of(const std::string& command) {
  Done done = shell(command);
  INFO(command << "\n" << done.output);
  REQUIRE(done.exit_code == 0);
  while (!done.output.empty() && done.output.back() == '\n') done.output.pop_back();
  return done.output;
}

void must(const std::string& command) { static_cast<void>(output_of(command)); }

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + time_factor() * limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return true;
}

}  // namespace lvmd::system_tests
