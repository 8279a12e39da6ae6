#include "lvmd/transfers/mover/task.hpp"

namespace lvmd::transfers::mover {

StepResult<void> check_store(const Task& task) {
  const auto there = task.restic.open();
  if (!there) return std::unexpected(there.error());
  if (*there || !task.job.repository().options().contains("s3.region")) return {};
  // restic asks an S3 server for a file's head, and no answer to that says that it is the bucket
  // that is missing. Where no region is given it asks for the bucket's before, and hears it.
  const auto bucket = task.restic.open_without_region();
  if (bucket) return {};
  const TransferFailure& failure = bucket.error();
  // Anything else may be for want of the region.
  if (failure.cancelled || failure.error.reason() == cause::kRepositoryNotFound)
    return std::unexpected(failure);
  return {};
}

}  // namespace lvmd::transfers::mover
