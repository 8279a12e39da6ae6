#include "lvmd/lvm/lvm_session.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <lvm2cmd.h>
#include <malloc.h>
#include <sys/stat.h>

#include <clocale>
#include <string_view>

#include "lvmd/base/log.hpp"

namespace lvmd::lvm {
namespace {

// The library's callback has no user data: the command that runs now collects here.
LvmOutcome* collecting = nullptr;

void collect(int level, const char* /*file*/, int /*line*/, int /*dm_errno*/, const char* message) {
  if (collecting == nullptr || message == nullptr) return;
  if (level == LVM2_LOG_FATAL || level == LVM2_LOG_ERROR)
    collecting->errors.emplace_back(message);
  else if (level == LVM2_LOG_PRINT)
    collecting->printed.emplace_back(message);
}

// lvm2_run's own numbers for an ended command.
int to_exit_code(int outcome) { return outcome == LVM2_COMMAND_SUCCEEDED ? 0 : outcome; }

// Settings that every command needs, written without blanks because lvm2_run splits at them:
// a lock is waited for by us, with a bound; volumes are watched by dmeventd.
constexpr std::string_view kSettings = "global{wait_for_locks=0}activation{monitoring=1}";

// What the library changes of the process and doesn't put back.
class ProcessAttributes {
 public:
  ProcessAttributes() : umask_(::umask(0)) { ::umask(umask_); }
  ProcessAttributes(const ProcessAttributes&) = delete;
  ProcessAttributes& operator=(const ProcessAttributes&) = delete;
  ~ProcessAttributes() {
    ::umask(umask_);
    std::setlocale(LC_ALL, "C");  // NOLINT(concurrency-mt-unsafe): one thread
  }

 private:
  mode_t umask_;
};

}  // namespace

std::string LvmOutcome::explanation() const {
  if (errors.empty()) return fmt::format("exit code {} and no message", exit_code);
  return fmt::format("{}", fmt::join(errors, " "));
}

Result<std::unique_ptr<LvmSession>> LvmSession::open() {
  lvm2_log_fn(&collect);
  void* const handle = lvm2_init();
  if (handle == nullptr) return fail(Code::kInternal, "the LVM library could not be initialised");
  lvm2_log_level(handle, LVM2_LOG_PRINT);
  return std::unique_ptr<LvmSession>{new LvmSession{handle}};
}

LvmSession::~LvmSession() { lvm2_exit(handle_); }

Result<LvmOutcome> LvmSession::run(const LvmCommand& command) {
  LvmCommand with_settings = command;
  auto line = with_settings.option("--config", kSettings).line();
  if (!line) return std::unexpected(line.error());

  const ProcessAttributes kept;
  LvmOutcome outcome;
  collecting = &outcome;
  outcome.exit_code = to_exit_code(lvm2_run(handle_, line->c_str()));
  collecting = nullptr;
  // The library's pools grow with the group and are free now: 17 MB become 10 at 1,000 volumes.
  malloc_trim(0);

  for (const std::string& warning : outcome.printed)
    if (warning.starts_with("WARNING"))
      log::debug(fmt::format("{}: {}", command.summary(), warning));
  return outcome;
}

}  // namespace lvmd::lvm
