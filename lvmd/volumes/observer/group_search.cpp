#include "lvmd/volumes/observer/group_search.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "lvmd/metadata/reading.hpp"

namespace lvmd::volumes::observer {
namespace {

using std::chrono_literals::operator""ms;

constexpr int kNotThere = 1;
constexpr auto kPause = 2ms;

[[noreturn]] void search_and_exit(const std::string& path, const std::string& volume_group) {
  const std::array paths{path};
  const metadata::Reading reading =
      metadata::read_texts(metadata::scan_devices(paths), volume_group);
  // A device that cannot be read may belong to the group.
  ::_exit(reading.texts.empty() && reading.problems.empty() ? kNotThere : 0);
}

}  // namespace

void GroupSearch::reap() {
  std::erase_if(hanging_, [](pid_t pid) {
    int status = 0;
    return ::waitpid(pid, &status, WNOHANG) != 0;
  });
}

bool GroupSearch::may_be_on(const std::string& path) {
  reap();
  const pid_t pid = ::fork();
  if (pid < 0) return true;
  if (pid == 0) search_and_exit(path, volume_group_);
  const auto deadline = std::chrono::steady_clock::now() + kLimit;
  for (;;) {
    int status = 0;
    if (::waitpid(pid, &status, WNOHANG) == pid)
      return !WIFEXITED(status) || WEXITSTATUS(status) != kNotThere;
    if (std::chrono::steady_clock::now() >= deadline) break;
    std::this_thread::sleep_for(kPause);
  }
  ::kill(pid, SIGKILL);
  hanging_.push_back(pid);
  return true;
}

}  // namespace lvmd::volumes::observer
