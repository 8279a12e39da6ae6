#include "lvmd/lvm/lvm_session.hpp"

#include <lvm2cmd.h>
#include <sys/stat.h>

#include <clocale>
#include <cstdlib>
#include <optional>
#include <utility>

#include "lvmd/lvm/device_search.hpp"
#include "lvmd/lvm/udev_scan.hpp"

namespace lvmd::lvm {
namespace {

// The library's log callback has no user data, so the running command collects its messages here.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
LvmOutcome* collecting = nullptr;

void collect(int level, const char* /*file*/, int /*line*/, int /*dm_errno*/, const char* message) {
  if (collecting == nullptr || message == nullptr) return;
  if (level == LVM2_LOG_FATAL || level == LVM2_LOG_ERROR)
    collecting->errors.emplace_back(message);
  else if (level == LVM2_LOG_PRINT)
    collecting->printed.emplace_back(message);
}

// lvm2_run returns LVM2_COMMAND_SUCCEEDED (1) where lvm(8) exits with 0.
int to_exit_code(int outcome) { return outcome == LVM2_COMMAND_SUCCEEDED ? 0 : outcome; }

// lvm2_run's result for a command that started and failed.
constexpr int kFailed = LVM2_PROCESSING_FAILED;

// Restores the process attributes that the library changes.
class ProcessAttributes {
 public:
  ProcessAttributes() : umask_(::umask(0)) { ::umask(umask_); }
  ProcessAttributes(const ProcessAttributes&) = delete;
  ProcessAttributes& operator=(const ProcessAttributes&) = delete;
  ~ProcessAttributes() {
    ::umask(umask_);
    static_cast<void>(std::setlocale(LC_ALL, "C"));
  }

 private:
  mode_t umask_;
};

}  // namespace

Result<std::unique_ptr<LvmSession>> LvmSession::open(std::optional<SystemDirectory> directory) {
  std::unique_ptr<LvmSession> session{new LvmSession{std::move(directory)}};
  if (auto opened = session->open_library(); !opened) return std::unexpected(opened.error());
  return session;
}

LvmSession::~LvmSession() {
  if (handle_ != nullptr) lvm2_exit(handle_);
}

Status LvmSession::open_library() {
  lvm2_log_fn(&collect);
  // Only the library reads this folder. The programs that it starts read the host's.
  if (directory_) ::setenv(kSystemDirectory, directory_->path().c_str(), /*replace=*/1);
  handle_ = lvm2_init();
  if (directory_) ::setenv(kSystemDirectory, directory_->host().c_str(), /*replace=*/1);
  if (handle_ == nullptr) return fail(Code::kInternal, "the LVM library could not be initialised");
  lvm2_log_level(handle_, LVM2_LOG_PRINT);
  return {};
}

Result<LvmOutcome> LvmSession::run(const LvmCommand& command) {
  const auto line = (directory_ ? command.with_options() : with_settings(command)).line();
  if (!line) return std::unexpected(line.error());
  if (directory_)
    if (auto current = directory_->update(command.settings(), command.devices()); !current)
      return std::unexpected(current.error());

  const ProcessAttributes restored;
  if (handle_ == nullptr)
    if (auto opened = open_library(); !opened) return std::unexpected(opened.error());
  std::optional<WithoutUdevScan> hidden;
  if (command.is_wiped_by_caller()) hidden.emplace();
  const OnlyDevicesFound search{command.devices()};
  LvmOutcome outcome;
  collecting = &outcome;
  outcome.exit_code = to_exit_code(lvm2_run(handle_, line->c_str()));
  collecting = nullptr;
  hidden.reset();
  // After a command line that the library could not parse, it keeps the --addtag values as pointers
  // into freed memory and adds them to the next command (observed in a volume's tags). So lvmd
  // initialises the library again.
  if (!outcome.succeeded() && outcome.exit_code != kFailed) {
    lvm2_exit(handle_);
    handle_ = nullptr;
  }
  log_warnings(command, outcome);
  return outcome;
}

}  // namespace lvmd::lvm
