#include "lvmd/transfers/service/transfer_checks.hpp"

#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/names.hpp"
#include "lvmd/transfers/record/job.hpp"
#include "lvmd/transfers/record/local_root.hpp"
#include "lvmd/transfers/record/location.hpp"
#include "lvmd/transfers/record/record_name.hpp"
#include "lvmd/volumes/service/request_checks.hpp"
#include "lvmd/volumes/service/volume_device.hpp"

namespace lvmd::transfers {
namespace {

// Sets the general reason if the error has none.
Status with_reason(Status result) {
  if (!result && result.error().reason.empty()) {
    result.error().reason = reason::kInvalidTransfer;
  }
  return result;
}

// The fields that all requests have.
template <typename Request>
internal::MoverJob job_of(v1::Operation operation, const Request& request) {
  internal::MoverJob job;
  job.set_operation(operation);
  job.set_id(request.id());
  *job.mutable_repository() = request.repository();
  *job.mutable_credentials() = request.credentials();
  job.set_deadline_seconds(request.deadline_seconds());
  return job;
}

// Sets the names of the volume and its group. An Error when the class does not exist.
template <typename Request>
Status name_volume(const model::ClassCatalog& catalog, const Request& request,
                   internal::MoverJob& job) {
  const auto device_class = volumes::find_class(catalog, request.device_class());
  if (!device_class) return std::unexpected(device_class.error());
  job.mutable_device()->set_volume_group((*device_class)->volume_group);
  job.mutable_device()->set_name(request.name());
  return {};
}

Status check_job_of_caller(const internal::MoverJob& job,
                           std::span<const std::string> local_roots) {
  if (auto valid = model::check_transfer_id("id", job.id()); !valid) return valid;
  if (job.has_device())
    if (auto valid = model::check_lv_name("name", job.device().name()); !valid) return valid;
  constexpr std::string_view kLocation = "repository.location";
  if (auto valid = check_location(kLocation, job.repository().location()); !valid) return valid;
  if (auto valid = check_below_roots(kLocation, job.repository().location(), local_roots); !valid)
    return valid;
  return check_job(job);
}

Status check_mode(int mode) {
  if (v1::Mode_IsValid(mode)) return {};
  return fail(Code::kInvalidArgument, "mode is {}, which is not a mode of lvmd.v1.Mode", mode)
      .about("mode", mode);
}

}  // namespace

Result<internal::MoverJob> check(const model::ClassCatalog& catalog,
                                 std::span<const std::string> local_roots,
                                 const v1::StartBackupRequest& request) {
  internal::MoverJob job = job_of(v1::OPERATION_BACKUP, request);
  if (auto valid = name_volume(catalog, request, job); !valid)
    return std::unexpected(valid.error());
  if (auto valid = with_reason(check_job_of_caller(job, local_roots)); !valid)
    return std::unexpected(valid.error());
  if (auto valid = with_reason(check_mode(request.mode())); !valid)
    return std::unexpected(valid.error());
  job.set_mode(request.mode());
  job.set_verify(request.verify());
  return job;
}

Result<internal::MoverJob> check(const model::ClassCatalog& catalog,
                                 std::span<const std::string> local_roots,
                                 const v1::StartRestoreRequest& request) {
  internal::MoverJob job = job_of(v1::OPERATION_RESTORE, request);
  job.set_snapshot_id(request.snapshot_id());
  job.set_backup_id(request.backup_id());
  if (auto valid = name_volume(catalog, request, job); !valid)
    return std::unexpected(valid.error());
  if (auto valid = with_reason(check_job_of_caller(job, local_roots)); !valid)
    return std::unexpected(valid.error());
  return job;
}

Result<internal::MoverJob> check(const model::ClassCatalog& /*catalog*/,
                                 std::span<const std::string> local_roots,
                                 const v1::DeleteBackupRequest& request) {
  internal::MoverJob job = job_of(v1::OPERATION_DELETE, request);
  job.set_backup_id(request.backup_id());
  if (auto valid = with_reason(check_job_of_caller(job, local_roots)); !valid)
    return std::unexpected(valid.error());
  return job;
}

Result<internal::MoverJob> check(const model::ClassCatalog& /*catalog*/,
                                 std::span<const std::string> local_roots,
                                 const v1::StartCheckRequest& request) {
  internal::MoverJob job = job_of(v1::OPERATION_CHECK, request);
  if (auto valid = with_reason(check_job_of_caller(job, local_roots)); !valid)
    return std::unexpected(valid.error());
  return job;
}

Status locate_volume(const model::ClassCatalog& catalog, const volumes::ReadModel& read_model,
                     const std::string& device_class, internal::MoverJob& job) {
  if (!job.has_device()) return {};
  const auto found_class = volumes::find_class(catalog, device_class);
  if (!found_class) return std::unexpected(found_class.error());
  auto device = volumes::find_device(read_model, **found_class, job.device().name());
  if (!device) return std::unexpected(device.error());
  if (auto active = volumes::check_active(*device); !active) return active;
  if (job.operation() == v1::OPERATION_BACKUP && device->writable())
    return fail(Code::kFailedPrecondition,
                "volume {} is writable: create a read-only snapshot and back that up",
                device->name())
        .because(reason::kVolumeWritable);
  if (job.operation() == v1::OPERATION_RESTORE && !device->writable())
    return fail(Code::kFailedPrecondition,
                "volume {} is read-only: a restore needs a writable, blank volume", device->name())
        .because(reason::kVolumeReadOnly);
  *job.mutable_device() = *std::move(device);
  return {};
}

Status check(const v1::TransferName& name) {
  return with_reason(check_key({.operation = name.operation(), .id = name.id()}));
}

}  // namespace lvmd::transfers
