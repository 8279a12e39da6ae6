#include "lvmd/server/health_service.hpp"

#include "lvmd/server/latest_stream.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

grpc::ServerUnaryReactor* HealthService::Check(
    grpc::CallbackServerContext* context, const ::grpc::health::v1::HealthCheckRequest* request,
    HealthMessage* response) {
  const CallRecord record{"Health.Check", peers_.find(context->peer()), log::Priority::kDebug};
  return guarded(*context, record, [&] {
    const auto trouble = board_.check(request->service());
    if (!trouble) return answer(*context, record, std::unexpected(trouble.error()));
    response->set_status(*trouble ? HealthMessage::NOT_SERVING : HealthMessage::SERVING);
    if (*trouble) context->AddTrailingMetadata("lvmd-reason", **trouble);
    return answer(*context, record, {});
  });
}

grpc::ServerWriteReactor<HealthMessage>* HealthService::Watch(
    grpc::CallbackServerContext* context, const ::grpc::health::v1::HealthCheckRequest* request) {
  return new LatestStream<HealthMessage>{
      board_.statuses(request->service()),
      CallRecord{"Health.Watch", peers_.find(context->peer()), log::Priority::kDebug}};
}

}  // namespace lvmd::server
