#include "lvmd/server/mount_service.hpp"

#include "lvmd/base/reason.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

grpc::ServerUnaryReactor* MountService::submit(grpc::CallbackServerContext& context,
                                               const CallRecord& record, internal::MountJob job,
                                               MountCall::Fill fill) {
  if (!in_flight_.begin())
    return answer(context, record,
                  fail(Code::kUnavailable, "lvmd is stopping: try again when it is back")
                      .because(reason::kStopping));
  auto* const call = new MountCall{record, std::move(fill), in_flight_};
  backend_.mounters().submit(std::move(job), call->completion());
  return call;
}

template <typename Request>
grpc::ServerUnaryReactor* MountService::checked_call(grpc::CallbackServerContext& context,
                                                     CallRecord record, const Request& request,
                                                     MountCall::Fill fill) {
  return guarded(context, record, [&]() -> grpc::ServerUnaryReactor* {
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

grpc::ServerUnaryReactor* MountService::Mount(grpc::CallbackServerContext* context,
                                              const v1::MountRequest* request,
                                              v1::MountResponse* response) {
  return checked_call(
      *context, {"Mount", peers_.find(context->peer()), log::Priority::kInfo, backend_.metrics()},
      *request, [this, response](const internal::Mounts& mounts) {
        if (!mounts.mounts().empty())
          *response->mutable_mount() = to_message(*backend_.catalog(), mounts.mounts(0));
      });
}

grpc::ServerUnaryReactor* MountService::Unmount(grpc::CallbackServerContext* context,
                                                const v1::UnmountRequest* request,
                                                v1::UnmountResponse* response) {
  return checked_call(
      *context, {"Unmount", peers_.find(context->peer()), log::Priority::kInfo, backend_.metrics()},
      *request, [response](const internal::Mounts& mounts) {
        for (const internal::MountedVolume& mount : mounts.mounts())
          response->add_targets(mount.target());
      });
}

grpc::ServerUnaryReactor* MountService::ListMounts(grpc::CallbackServerContext* context,
                                                   const v1::ListMountsRequest* /*request*/,
                                                   v1::ListMountsResponse* response) {
  const CallRecord record{"ListMounts", peers_.find(context->peer()), log::Priority::kDebug,
                          backend_.metrics()};
  return guarded(*context, record, [&] {
    internal::MountJob job;
    job.mutable_list();
    return submit(*context, record, std::move(job),
                  [this, response](const internal::Mounts& mounts) {
                    const auto catalog = backend_.catalog();
                    for (const internal::MountedVolume& mount : mounts.mounts())
                      *response->add_mounts() = to_message(*catalog, mount);
                  });
  });
}

}  // namespace lvmd::server
