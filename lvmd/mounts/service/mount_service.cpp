#include "lvmd/mounts/service/mount_service.hpp"

#include "lvmd/server/latest_stream.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::mounts {

server::UnaryReactor* MountService::submit(server::Context& context,
                                           const server::CallRecord& record, internal::MountJob job,
                                           MountCall::Fill fill) {
  if (auto begun = host_.begin_call(); !begun) return answer(context, record, begun);
  auto* const call = new MountCall{record, std::move(fill), host_.calls()};
  mounters_.submit(std::move(job), call->completion());
  return call;
}

template <typename Request>
server::UnaryReactor* MountService::checked_call(server::Context& context,
                                                 server::CallRecord record, const Request& request,
                                                 MountCall::Fill fill) {
  return guarded(context, record, [&]() -> server::UnaryReactor* {
    record.set_volume(request.name());
    const auto catalog = backend_.catalog();
    auto checked = check(*catalog, roots_, request);
    if (!checked) return answer(context, record, std::unexpected(checked.error()));
    if (checked->device_class != nullptr)
      record.set_volume_group(checked->device_class->volume_group);
    if (auto filled = fill_in_device(backend_.read_model(), *checked); !filled)
      return answer(context, record, filled);
    return submit(context, record, std::move(checked->job), std::move(fill));
  });
}

server::UnaryReactor* MountService::Mount(server::Context* context, const v1::MountRequest* request,
                                          v1::MountResponse* response) {
  return checked_call(*context, host_.record("Mount", *context, log::Priority::kInfo), *request,
                      [this, response](const internal::MountReply& reply) {
                        if (!reply.mounts().mounts().empty())
                          *response->mutable_mount() =
                              to_message(*backend_.catalog(), reply.mounts().mounts(0));
                      });
}

server::UnaryReactor* MountService::Unmount(server::Context* context,
                                            const v1::UnmountRequest* request,
                                            v1::UnmountResponse* response) {
  return checked_call(*context, host_.record("Unmount", *context, log::Priority::kInfo), *request,
                      [response](const internal::MountReply& reply) {
                        for (const internal::MountedVolume& mount : reply.mounts().mounts())
                          response->add_targets(mount.target());
                      });
}

server::UnaryReactor* MountService::ListMounts(server::Context* context,
                                               const v1::ListMountsRequest* /*request*/,
                                               v1::ListMountsResponse* response) {
  const server::CallRecord record = host_.record("ListMounts", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    internal::MountJob job;
    job.mutable_list();
    return submit(*context, record, std::move(job),
                  [this, response](const internal::MountReply& reply) {
                    const auto catalog = backend_.catalog();
                    for (const internal::MountedVolume& mount : reply.mounts().mounts())
                      *response->add_mounts() = to_message(*catalog, mount);
                  });
  });
}

server::UnaryReactor* MountService::GrowFileSystem(server::Context* context,
                                                   const v1::GrowFileSystemRequest* request,
                                                   v1::GrowFileSystemResponse* response) {
  return checked_call(*context, host_.record("GrowFileSystem", *context, log::Priority::kInfo),
                      *request,
                      [response](const internal::MountReply& reply) { *response = reply.grown(); });
}

server::UnaryReactor* MountService::GetUsage(server::Context* context,
                                             const v1::GetUsageRequest* request,
                                             v1::GetUsageResponse* response) {
  return checked_call(*context, host_.record("GetUsage", *context, log::Priority::kDebug), *request,
                      [response](const internal::MountReply& reply) { *response = reply.usage(); });
}

grpc::ServerWriteReactor<v1::VolumesInUse>* MountService::Watch(
    server::Context* context, const v1::WatchMountsRequest* /*request*/) {
  return new server::LatestStream<v1::VolumesInUse>{
      uses_, host_.record("WatchMounts", *context, log::Priority::kDebug), host_.streams()};
}

}  // namespace lvmd::mounts
