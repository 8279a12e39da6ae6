#include "lvmd/server/owner_service.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/owners.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

grpc::ServerUnaryReactor* OwnerService::SetOwner(grpc::CallbackServerContext* context,
                                                 const v1::SetOwnerRequest* request,
                                                 v1::SetOwnerResponse* /*response*/) {
  CallRecord record{"SetOwner", peers_.find(context->peer()), log::Priority::kInfo,
                    backend_.metrics()};
  record.set_volume(request->name());
  return guarded(*context, record, [&]() -> grpc::ServerUnaryReactor* {
    auto checked = check_owner_change(*backend_.catalog(), *request);
    if (!checked) return answer(*context, record, std::unexpected(checked.error()));
    record.set_volume_group(checked->volume_group);
    std::string what = fmt::format("SetOwner {}/{}", checked->volume_group, checked->volume);
    const auto worker = backend_.worker(checked->volume_group);
    if (worker == nullptr)
      return answer(
          *context, record,
          fail(Code::kUnavailable, "volume group {} left the configuration a moment ago: try again",
               checked->volume_group)
              .because(reason::kReloaded)
              .with(key::kVg, checked->volume_group));
    if (!in_flight_.begin())
      return answer(*context, record,
                    fail(Code::kUnavailable, "lvmd is stopping: try again when it is back")
                        .because(reason::kStopping));
    auto* const call =
        new ChangeCall{record, [](const ChangeOutcome::value_type& /*volume*/) {}, in_flight_};
    worker->submit(std::move(checked->request), std::move(what), call->completion());
    return call;
  });
}

grpc::ServerUnaryReactor* OwnerService::ListVolumes(grpc::CallbackServerContext* context,
                                                    const v1::ListVolumesRequest* /*request*/,
                                                    v1::ListVolumesResponse* response) {
  const CallRecord record{"ListVolumes", peers_.find(context->peer()), log::Priority::kDebug,
                          backend_.metrics()};
  return guarded(*context, record, [&] {
    *response = list_owned(*backend_.catalog(), backend_.read_model());
    return answer(*context, record, {});
  });
}

}  // namespace lvmd::server
