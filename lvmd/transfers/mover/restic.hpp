// The repository, as restic shows it: the steps that every operation has, and the running of
// others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/transfers/mover/step_result.hpp"
#include "lvmd/transfers/mover/program.hpp"
#include "lvmd/transfers/mover/restic_command.hpp"
#include "lvmd/transfers/mover/restic_errors.hpp"
#include "lvmd/transfers/mover/restic_output.hpp"
#include "lvmd/transfers/mover/redact.hpp"
#include "lvmd/transfers/mover/supervision.hpp"

namespace lvmd::transfers::mover {

// A run of restic. What isn't set is as Program's.
struct ResticCall {
  // For messages: "backup".
  std::string_view name;
  CommandLine command;
  bool silent = true;
  // Of the volume's files; else none.
  bool with_capabilities = false;
  // Exit codes that the caller can do with.
  std::vector<int> expected{0};
  std::function<std::optional<TransferFailure>(std::string_view)> on_output;
  // What a line of standard error means, if it ends the transfer.
  std::function<std::optional<TransferFailure>(const ErrorLine&)> on_error;
  std::function<StepResult<std::string>()> input;
};

// One per transfer, one thread.
class Restic {
 public:
  Restic(const internal::MoverJob& job, const SecretFiles& files, Supervision& supervision);

  [[nodiscard]] const ResticCommands& commands() const { return commands_; }
  [[nodiscard]] Supervision& supervision() { return supervision_; }

  // The exit code, one of the expected. Any other is explained [P-XFER-12].
  [[nodiscard]] StepResult<int> call(ResticCall call);
  // Its whole standard output; absent when it ended with another expected code than 0.
  [[nodiscard]] StepResult<std::optional<std::string>> ask(ResticCall call);

  // Whether there is a repository; the first call. A store that refuses, or has no such bucket, is
  // given up at once, one that can't be reached after a minute.
  [[nodiscard]] StepResult<bool> open();
  // The same without the option s3.region: restic asks the store for the bucket's region then.
  [[nodiscard]] StepResult<bool> open_without_region();
  [[nodiscard]] StepResult<void> make();
  // Of the locks that were there when it was opened: those of programs that have died on this host,
  // and any older than 30 minutes [P-XFER-13].
  [[nodiscard]] StepResult<void> remove_dead_locks();
  // Of a backup's id, the newest first.
  [[nodiscard]] StepResult<std::vector<Snapshot>> snapshots_of(std::string_view backup_id);

 private:
  [[nodiscard]] StepResult<bool> open(CommandLine list_locks);
  // Of a run of `command` that has said nothing yet.
  [[nodiscard]] ResticFailure failure_of(std::string_view command) const;

  const internal::MoverJob& job_;
  std::vector<int> descriptors_;
  ResticCommands commands_;
  Redactor redact_;
  Supervision& supervision_;
  std::vector<std::string> locks_;
};

// Cuts a stream into lines for `take`; the rest of the last one stays.
class LineCutter {
 public:
  explicit LineCutter(std::function<std::optional<TransferFailure>(std::string_view)> take)
      : take_(std::move(take)) {}
  [[nodiscard]] std::optional<TransferFailure> operator()(std::string_view bytes);

 private:
  std::function<std::optional<TransferFailure>(std::string_view)> take_;
  std::string rest_;
};

}  // namespace lvmd::transfers::mover
