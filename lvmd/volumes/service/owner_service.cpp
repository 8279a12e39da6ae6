#include "lvmd/volumes/service/owner_service.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/rpc_edge.hpp"
#include "lvmd/volumes/service/change_call.hpp"
#include "lvmd/volumes/service/owners.hpp"

namespace lvmd::volumes {

server::UnaryReactor* OwnerService::SetOwner(server::Context* context,
                                             const v1::SetOwnerRequest* request,
                                             v1::SetOwnerResponse* /*response*/) {
  server::CallRecord record = host_.record("SetOwner", *context, log::Priority::kInfo);
  record.set_volume(request->name());
  return guarded(*context, record, [&]() -> server::UnaryReactor* {
    auto checked = check_owner_change(*backend_.catalog(), *request);
    if (!checked) return answer(*context, record, std::unexpected(checked.error()));
    return submit_change(backend_, host_, *context, record, "SetOwner", std::move(*checked),
                         [](const ChangeOutcome::value_type& /*volume*/) {});
  });
}

server::UnaryReactor* OwnerService::ListVolumes(server::Context* context,
                                                const v1::ListVolumesRequest* /*request*/,
                                                v1::ListVolumesResponse* response) {
  const server::CallRecord record = host_.record("ListVolumes", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    *response = list_owned(*backend_.catalog(), backend_.read_model());
    return answer(*context, record, {});
  });
}

}  // namespace lvmd::volumes
