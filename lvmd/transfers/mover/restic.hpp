// Runs restic: the steps that all operations have in common, and single commands.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/transfers/mover/program.hpp"
#include "lvmd/transfers/mover/redact.hpp"
#include "lvmd/transfers/mover/restic_command.hpp"
#include "lvmd/transfers/mover/restic_errors.hpp"
#include "lvmd/transfers/mover/restic_output.hpp"
#include "lvmd/transfers/mover/step_result.hpp"
#include "lvmd/transfers/mover/supervision.hpp"

namespace lvmd::transfers::mover {

// One run of restic. Members that are not set have the defaults of Program.
struct ResticCall {
  // The command for messages: "backup".
  std::string_view name;
  CommandLine command;
  bool silent = true;
  // Run with the capabilities for the volume's files; otherwise with none.
  bool with_capabilities = false;
  // Exit codes that the caller handles.
  std::vector<int> expected{0};
  std::function<std::optional<TransferFailure>(std::string_view)> on_output{};
  // Returns a failure when a line of standard error ends the transfer.
  std::function<std::optional<TransferFailure>(const ErrorLine&)> on_error{};
  std::function<StepResult<std::string>()> input{};
};

// One per transfer. Not thread-safe.
class Restic {
 public:
  Restic(const internal::MoverJob& job, const SecretFiles& files, Supervision& supervision);

  [[nodiscard]] const ResticCommands& commands() const { return commands_; }
  [[nodiscard]] Supervision& supervision() { return supervision_; }

  // Runs a command and returns its exit code, which is one of the expected ones. Any other exit
  // code is a failure that explains it [P-XFER-12].
  [[nodiscard]] StepResult<int> call(ResticCall call);
  // As call(), for a command with one expected code.
  [[nodiscard]] StepResult<void> run(ResticCall call);
  // Runs commands at the same time. The first failure stops all of them.
  [[nodiscard]] StepResult<void> run_together(std::vector<ResticCall> calls);
  // Runs a command and returns its complete standard output. Empty when it ended with an expected
  // code other than 0.
  [[nodiscard]] StepResult<std::optional<std::string>> output_of(ResticCall call);

  // Returns whether the repository exists. Must be the first call. Fails at once when the store
  // rejects the request or has no such bucket, and after a minute when the store cannot be reached.
  [[nodiscard]] StepResult<bool> open();
  // The same as open() without the option s3.region: restic then requests the bucket's region from
  // the store.
  [[nodiscard]] StepResult<bool> open_without_region();
  // Creates the repository.
  [[nodiscard]] StepResult<void> make();
  // Removes stale locks from among those that open() found: locks of dead processes of this host,
  // and all that are older than 30 minutes [P-XFER-13].
  [[nodiscard]] StepResult<void> remove_dead_locks();
  // Returns the snapshots of a backup, the newest first.
  [[nodiscard]] StepResult<std::vector<Snapshot>> snapshots_of(std::string_view backup_id);

 private:
  class Prepared;

  [[nodiscard]] StepResult<bool> open(CommandLine list_locks);
  // Returns the initial description of a run of `command`, without any output.
  [[nodiscard]] ResticFailure failure_of(std::string_view command) const;

  const internal::MoverJob& job_;
  std::vector<int> descriptors_;
  ResticCommands commands_;
  Redactor redact_;
  Supervision& supervision_;
  std::vector<std::string> locks_;
};

// Splits a stream into lines and passes each to `take`. Keeps an incomplete last line for the next
// call.
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
