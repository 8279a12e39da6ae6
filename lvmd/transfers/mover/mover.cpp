#include "lvmd/transfers/mover/mover.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/transfers/mover/restic.hpp"
#include "lvmd/transfers/mover/sandbox.hpp"
#include "lvmd/transfers/mover/task.hpp"
#include "lvmd/transfers/mover/temporary_files.hpp"
#include "lvmd/transfers/record/job.hpp"
#include "lvmd/transfers/record/location.hpp"
#include "lvmd/transfers/record/record_name.hpp"

namespace lvmd::transfers::mover {
namespace {

std::unexpected<TransferFailure> mover_failed(const Supervision& supervision, const Error& error) {
  return failed(supervision.code(), cause::kMoverFailed, describe(error));
}

std::unexpected<TransferFailure> volume_failed(const Error& error) {
  return failed(code::kVolumeMount, cause::kMoverFailed, describe(error));
}

// The volume and its content. Empty for an operation without a volume.
struct Source {
  Volume volume;
  Contents contents;
};

// Runs before the process enters the sandbox, because the sandbox has no /sys.
StepResult<Source> inspect_volume(const internal::MoverJob& job) {
  Source source;
  auto volume = open_volume(job.device());
  if (!volume) return volume_failed(volume.error());
  source.volume = std::move(*volume);
  const bool backup = job.operation() == v1::OPERATION_BACKUP;
  if (backup != source.volume.read_only)
    return failed(code::kVolumeMount, cause::kMoverFailed,
                  fmt::format("volume {} {}", source.volume.name,
                              backup ? "is writable: back up a read-only snapshot of it"
                                     : "is read-only: restore onto a writable volume"));
  auto contents = contents_of(source.volume.path);
  if (!contents) return volume_failed(contents.error());
  source.contents = *std::move(contents);
  return source;
}

// Enters the sandbox. Returns false when the local repository does not exist and the operation does
// not create it.
StepResult<bool> enter(const internal::MoverJob& job, const Source& source,
                       const Supervision& supervision) {
  const std::string& location = job.repository().location();
  const bool local = transfers::is_local(location);
  if (auto left = leave_host(/*network=*/!local); !left)
    return mover_failed(supervision, left.error());
  SandboxPlan plan{.restic_path = job.settings().restic_path(),
                   .cache_directory = job.settings().cache_directory(),
                   .temporary_memory = temporary_memory(job),
                   .device_path = source.volume.path};
  if (local) {
    auto directory = open_local_repository(
        location, {job.settings().local_roots().begin(), job.settings().local_roots().end()},
        /*make=*/job.operation() == v1::OPERATION_BACKUP);
    if (!directory && directory.error().code == Code::kNotFound) return false;
    if (!directory)
      return failed(supervision.code(),
                    directory.error().code == Code::kPermissionDenied ? cause::kAccessDenied
                                                                      : cause::kMoverFailed,
                    directory.error().message);
    plan.repository = std::move(*directory);
  }
  if (auto entered = enter_sandbox(plan); !entered)
    return mover_failed(supervision, entered.error());
  return true;
}

StepResult<void> do_operation(const internal::MoverJob& job, Supervision& supervision) {
  // The volume's mark shows that the restore is complete [P-XFER-22]. The volume may be in use, and
  // its backup may no longer exist.
  if (job.operation() == v1::OPERATION_RESTORE && job.mark() == internal::RESTORE_MARK_COMPLETED)
    return {};
  Source source;
  if (transfers::needs_volume(job.operation())) {
    supervision.record().step("mounting");
    auto found = inspect_volume(job);
    if (!found) return std::unexpected(found.error());
    source = std::move(*found);
  }
  const auto entered = enter(job, source, supervision);
  if (!entered) return std::unexpected(entered.error());
  if (!*entered) {
    if (job.operation() != v1::OPERATION_RESTORE) return {};
    return failed(code::kRestore, cause::kRepositoryNotFound,
                  fmt::format("there is no repository at {}: correct repository.location",
                              job.repository().location()));
  }
  const auto files = SecretFiles::make(transfers::is_local(job.repository().location())
                                           ? kRepositoryPath
                                           : std::string_view{job.repository().location()},
                                       job.repository(), job.credentials());
  if (!files) return mover_failed(supervision, files.error());
  Restic restic{job, *files, supervision};
  const Task task{
      .job = job, .restic = restic, .volume = source.volume, .contents = source.contents};
  if (job.operation() == v1::OPERATION_BACKUP) return back_up(task);
  if (job.operation() == v1::OPERATION_RESTORE) return restore(task);
  if (job.operation() == v1::OPERATION_DELETE) return delete_backup(task);
  return check_store(task);
}

}  // namespace

Status do_transfer(const internal::MoverJob& job) {
  auto record = RecordWriter::begin(job);
  if (!record) return std::unexpected(record.error());
  auto supervision = Supervision::begin(job, *record);
  if (!supervision) return std::unexpected(supervision.error());
  const std::string name = transfers::record_name({.operation = job.operation(), .id = job.id()});
  auto done = do_operation(job, *supervision);
  if (done) {
    log::notice(fmt::format("{} succeeded", name));
    return record->succeed();
  }
  TransferFailure& failure = done.error();
  // Redacts every message before it leaves the mover.
  failure.error.set_message(Redactor{job.credentials()}(failure.error.message()));
  if (failure.cancelled)
    log::notice(fmt::format("{} was cancelled", name));
  else
    log::error(fmt::format("{} failed: {}: {}: {}", name, failure.error.code(),
                           failure.error.reason(), failure.error.message()));
  return record->end(failure);
}

}  // namespace lvmd::transfers::mover
