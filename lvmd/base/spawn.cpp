#include "lvmd/base/spawn.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace lvmd {
namespace {

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  [[nodiscard]] posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class SpawnAttributes {
 public:
  SpawnAttributes() { posix_spawnattr_init(&attributes_); }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  [[nodiscard]] posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

Result<pid_t> spawn(std::vector<std::string> words, int out, int err, BlockedSignals blocked,
                    std::vector<std::string> more) {
  SpawnActions actions;
  posix_spawn_file_actions_addopen(actions.get(), STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(actions.get(), out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(actions.get(), err, STDERR_FILENO);
  // LVM warns of every descriptor that it doesn't know.
  posix_spawn_file_actions_addclosefrom_np(actions.get(), STDERR_FILENO + 1);
  SpawnAttributes attributes;
  if (blocked == BlockedSignals::kNone) {
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(attributes.get(), &none);
    posix_spawnattr_setflags(attributes.get(), POSIX_SPAWN_SETSIGMASK);
  }

  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string locale = "LC_ALL=C";
  std::string path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
  std::vector<char*> environment{locale.data(), path.data()};
  for (std::string& entry : more) environment.push_back(entry.data());
  environment.push_back(nullptr);

  pid_t pid = -1;
  const int error =
      posix_spawnp(&pid, argv[0], actions.get(), attributes.get(), argv.data(), environment.data());
  if (error != 0) {
    Error why = errno_error(error, fmt::format("start {}", words.front()));
    why.code = Code::kInternal;
    return std::unexpected(std::move(why));
  }
  return pid;
}

Result<int> await_end(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return fail_errno(errno, "wait for a program");
  return status;
}

}  // namespace lvmd
