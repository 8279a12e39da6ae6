#include "lvmd/volumes/service/lv_service.hpp"

#include <cstdint>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/rpc_edge.hpp"
#include "lvmd/volumes/service/owners.hpp"
#include "lvmd/volumes/service/request_checks.hpp"
#include "lvmd/volumes/service/responses.hpp"

namespace lvmd::volumes {
namespace {

using Changed = ChangeOutcome::value_type;

}  // namespace

template <typename Request>
grpc::ServerUnaryReactor* LvService::change(std::string_view method,
                                            grpc::CallbackServerContext& context,
                                            const Request& request, ChangeCall::Fill fill) {
  server::CallRecord record = host_.record(method, context, log::Priority::kInfo);
  record.set_volume(request.name());
  return guarded(context, record, [&]() -> grpc::ServerUnaryReactor* {
    auto checked = check(*backend_.catalog(), request);
    if (!checked) return answer(context, record, std::unexpected(checked.error()));
    if (auto owned = take_owner(context, checked->request); !owned)
      return answer(context, record, owned);
    return submit_change(backend_, host_, context, record, method, std::move(*checked),
                         std::move(fill));
  });
}

grpc::ServerUnaryReactor* LvService::CreateLV(grpc::CallbackServerContext* context,
                                              const proto::CreateLVRequest* request,
                                              proto::CreateLVResponse* response) {
  return change("CreateLV", *context, *request, [response](const Changed& lv) {
    if (lv) *response->mutable_volume() = to_message(*lv);
  });
}

grpc::ServerUnaryReactor* LvService::RemoveLV(grpc::CallbackServerContext* context,
                                              const proto::RemoveLVRequest* request,
                                              proto::Empty* /*response*/) {
  return change("RemoveLV", *context, *request, [](const Changed& /*lv*/) {});
}

grpc::ServerUnaryReactor* LvService::ResizeLV(grpc::CallbackServerContext* context,
                                              const proto::ResizeLVRequest* request,
                                              proto::ResizeLVResponse* response) {
  return change("ResizeLV", *context, *request, [response](const Changed& lv) {
    if (lv) response->set_size_bytes(static_cast<std::int64_t>(lv->size.value));
  });
}

grpc::ServerUnaryReactor* LvService::CreateLVSnapshot(grpc::CallbackServerContext* context,
                                                      const proto::CreateLVSnapshotRequest* request,
                                                      proto::CreateLVSnapshotResponse* response) {
  return change("CreateLVSnapshot", *context, *request, [response](const Changed& lv) {
    if (lv) *response->mutable_snapshot() = to_message(*lv);
  });
}

}  // namespace lvmd::volumes
