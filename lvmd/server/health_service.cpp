#include "lvmd/server/health_service.hpp"

#include <cstddef>
#include <string>

#include "lvmd/server/latest_stream.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {
namespace {

// Clients accept 8 KiB of metadata by default.
constexpr std::size_t kMaxReason = 2000;

// gRPC accepts printable ASCII only, and aborts the process otherwise.
std::string as_metadata(std::string reason) {
  if (reason.size() > kMaxReason) reason.resize(kMaxReason);
  for (char& c : reason)
    if (c < ' ' || c > '~') c = '?';
  return reason;
}

}  // namespace

UnaryReactor* HealthService::Check(Context* context,
                                   const ::grpc::health::v1::HealthCheckRequest* request,
                                   HealthMessage* response) {
  const CallRecord record = host_.record("Health.Check", *context, log::Priority::kDebug);
  return guarded(*context, record, [&] {
    const auto report = source_.check(request->service());
    if (!report) return answer(*context, record, std::unexpected(report.error()));
    response->set_status(report->serves ? HealthMessage::SERVING : HealthMessage::NOT_SERVING);
    if (!report->reason.empty())
      context->AddTrailingMetadata("lvmd-reason", as_metadata(report->reason));
    return answer(*context, record, {});
  });
}

grpc::ServerWriteReactor<HealthMessage>* HealthService::Watch(
    Context* context, const ::grpc::health::v1::HealthCheckRequest* request) {
  return new LatestStream<HealthMessage>{
      source_.statuses(request->service()),
      host_.record("Health.Watch", *context, log::Priority::kDebug), host_.streams()};
}

}  // namespace lvmd::server
