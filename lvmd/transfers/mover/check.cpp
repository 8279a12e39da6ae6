#include "lvmd/transfers/mover/task.hpp"

namespace lvmd::transfers::mover {

StepResult<void> check_store(const Task& task) {
  const auto there = task.restic.open();
  if (!there) return std::unexpected(there.error());
  if (*there || !task.job.repository().options().contains("s3.region")) return {};
  // With a region, restic requests a HEAD of its config file, and the answer does not show whether
  // the bucket is missing. Without one, it first requests the bucket's region, which fails for a
  // missing bucket.
  const auto bucket = task.restic.open_without_region();
  if (bucket) return {};
  const TransferFailure& failure = bucket.error();
  // Another failure may be caused by the missing region.
  if (failure.cancelled || failure.error.reason() == cause::kRepositoryNotFound)
    return std::unexpected(failure);
  return {};
}

}  // namespace lvmd::transfers::mover
