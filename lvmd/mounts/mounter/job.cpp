#include "lvmd/mounts/mounter/job.hpp"

#include <string>
#include <utility>
#include <vector>

#include "lvmd/ipc/convert.hpp"
#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/mounts/mounter/growing.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/mounting.hpp"
#include "lvmd/mounts/mounter/publishing.hpp"
#include "lvmd/mounts/mounter/staging.hpp"
#include "lvmd/mounts/mounter/unmounting.hpp"
#include "lvmd/mounts/mounter/usage.hpp"

namespace lvmd::mounts::mounter {
namespace {

template <typename Value>
Status put(Result<Value> done, Value& reply) {
  if (!done) return std::unexpected(std::move(done.error()));
  reply.Swap(&*done);
  return {};
}

Result<internal::Mounts> unmount_job(const internal::UnmountVolume& job,
                                     const std::vector<std::string>& roots,
                                     const model::KubeletRoot& kubelet) {
  if (!job.has_kubelet_target()) return unmount(job, roots);
  const auto target = ipc::from_proto(job.kubelet_target());
  if (!target) return std::unexpected(target.error());
  return unmount(*target, kubelet);
}

Status dispatch(const internal::MountJob& job, internal::MountReply& reply) {
  const std::vector<std::string> roots{job.roots().begin(), job.roots().end()};
  const model::KubeletRoot kubelet = ipc::from_proto(job.kubelet());
  // The file system of a volume is the same, whoever has mounted it.
  std::vector<std::string> all_roots = roots;
  if (job.has_kubelet()) all_roots.push_back(kubelet.path);
  switch (job.job_case()) {
    case internal::MountJob::kMount:
      return put(mount_volume(job.mount(), roots), *reply.mutable_mounts());
    case internal::MountJob::kUnmount:
      return put(unmount_job(job.unmount(), roots, kubelet), *reply.mutable_mounts());
    case internal::MountJob::kList:
      return put(list_mounts(roots), *reply.mutable_mounts());
    case internal::MountJob::kGrow:
      return put(grow_file_system(job.grow(), all_roots), *reply.mutable_grown());
    case internal::MountJob::kUsage:
      return put(usage_of(job.usage(), all_roots, kubelet), *reply.mutable_usage());
    case internal::MountJob::kStage:
      return put(stage_volume(job.stage(), kubelet), *reply.mutable_mounts());
    case internal::MountJob::kPublish:
      return put(publish_volume(job.publish(), kubelet), *reply.mutable_mounts());
    case internal::MountJob::JOB_NOT_SET:
      break;
  }
  return fail(Code::kInvalidArgument, "the mount job has no operation");
}

}  // namespace

internal::MountReply run_job(const internal::MountJob& job) {
  internal::MountReply reply;
  if (const auto done = dispatch(job, reply); !done)
    *reply.mutable_error() = ipc::to_proto(done.error());
  return reply;
}

}  // namespace lvmd::mounts::mounter
