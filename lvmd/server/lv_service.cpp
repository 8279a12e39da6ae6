#include "lvmd/server/lv_service.hpp"

#include <cstdint>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/server/owners.hpp"
#include "lvmd/server/request_checks.hpp"
#include "lvmd/server/responses.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {
namespace {

using Changed = ChangeOutcome::value_type;

}  // namespace

template <typename Request>
grpc::ServerUnaryReactor* LvService::change(std::string_view method,
                                            grpc::CallbackServerContext& context,
                                            const Request& request, ChangeCall::Fill fill) {
  CallRecord record{method, peers_.find(context.peer()), log::Priority::kInfo, backend_.metrics()};
  record.set_volume(request.name());
  return guarded(context, record, [&]() -> grpc::ServerUnaryReactor* {
    auto checked = check(*backend_.catalog(), request);
    if (!checked) return answer(context, record, std::unexpected(checked.error()));
    if (auto owned = take_owner(context, checked->request); !owned)
      return answer(context, record, owned);
    record.set_volume_group(checked->volume_group);
    std::string what = fmt::format("{} {}/{}", method, checked->volume_group, checked->volume);
    const auto worker = backend_.worker(checked->volume_group);
    if (worker == nullptr)
      return answer(
          context, record,
          fail(Code::kUnavailable, "volume group {} left the configuration a moment ago: try again",
               checked->volume_group)
              .because(reason::kReloaded)
              .with(key::kVg, checked->volume_group));
    if (!in_flight_.begin())
      return answer(context, record,
                    fail(Code::kUnavailable, "lvmd is stopping: try again when it is back")
                        .because(reason::kStopping));
    auto* const call = new ChangeCall{record, std::move(fill), in_flight_};
    worker->submit(std::move(checked->request), std::move(what), call->completion());
    return call;
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

}  // namespace lvmd::server
