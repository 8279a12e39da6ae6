#include "lvmd/mounter/job.hpp"

#include <string>
#include <vector>

#include "lvmd/channel/convert.hpp"
#include "lvmd/mounter/mounted.hpp"
#include "lvmd/mounter/mounting.hpp"
#include "lvmd/mounter/unmounting.hpp"

namespace lvmd::mounter {
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
  return fail(Code::kInvalidArgument, "a mount job without a job");
}

}  // namespace

internal::MountReply run_job(const internal::MountJob& job) {
  internal::MountReply reply;
  auto done = dispatch(job);
  if (done)
    reply.mutable_mounts()->Swap(&*done);
  else
    *reply.mutable_error() = channel::to_proto(done.error());
  return reply;
}

}  // namespace lvmd::mounter
