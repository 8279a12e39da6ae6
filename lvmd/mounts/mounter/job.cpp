#include "lvmd/mounts/mounter/job.hpp"

#include <string>
#include <vector>

#include "lvmd/ipc/convert.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/mounting.hpp"
#include "lvmd/mounts/mounter/unmounting.hpp"

namespace lvmd::mounts::mounter {
namespace {

Result<internal::Mounts> dispatch(const internal::MountJob& job) {
  const std::vector<std::string> roots{job.roots().begin(), job.roots().end()};
  switch (job.job_case()) {
    case internal::MountJob::kMount:
      return mount_volume(job.mount(), roots);
    case internal::MountJob::kUnmount:
      return unmount(job.unmount(), roots);
    case internal::MountJob::kList:
      return list_mounts(roots);
    case internal::MountJob::JOB_NOT_SET:
      break;
  }
  return fail(Code::kInvalidArgument, "the mount job has no operation");
}

}  // namespace

internal::MountReply run_job(const internal::MountJob& job) {
  internal::MountReply reply;
  auto done = dispatch(job);
  if (done)
    reply.mutable_mounts()->Swap(&*done);
  else
    *reply.mutable_error() = ipc::to_proto(done.error());
  return reply;
}

}  // namespace lvmd::mounts::mounter
