#include "lvmd/server/grpc_endpoint.hpp"

#include <grpcpp/client_context.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_posix.h>

#include <utility>

#include "health.grpc.pb.h"

namespace lvmd::server {
namespace {

// gRPC closes an idle connection after this time, also one whose client has not sent HTTP/2's
// preface: no handshake timeout applies to connections that are handed over. Clients reconnect
// between calls without an error.
constexpr int kMaxIdleMilliseconds = 5 * 60 * 1000;
// Per connection. Further calls wait in the client [P-SOCK-21].
constexpr int kMaxConcurrentStreams = 256;
// By default a connection reads up to 4 MiB at once, and its windows grow with its throughput. A
// read can exceed the limit of incomplete requests by its size.
constexpr int kReadChunk = 64 << 10;
// Clients may send keepalive pings this often, with or without a call.
constexpr int kMinPingIntervalMilliseconds = 5 * 1000;

}  // namespace

Result<std::unique_ptr<GrpcEndpoint>> GrpcEndpoint::start(
    const std::vector<grpc::Service*>& services, std::size_t request_bytes) {
  // Registers the reflection plugin for every builder of the process; repeated calls have no
  // effect. The explicit call is needed because the linker drops the library's static initialiser
  // when nothing refers to it.
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  for (grpc::Service* const service : services) builder.RegisterService(service);
  // gRPC checks a request's size when the request is complete. IncompleteRequests limits the
  // others.
  builder.SetMaxReceiveMessageSize(static_cast<int>(request_bytes));
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kReadChunk);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS, kMaxIdleMilliseconds);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMaxConcurrentStreams);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             kMinPingIntervalMilliseconds);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  auto server = builder.BuildAndStart();
  if (server == nullptr) return fail(Code::kInternal, "gRPC could not build a server");
  return std::unique_ptr<GrpcEndpoint>{new GrpcEndpoint{std::move(server)}};
}

GrpcEndpoint::GrpcEndpoint(std::unique_ptr<grpc::Server> server)
    : server_(std::move(server)), own_channel_(server_->InProcessChannel({})) {}

void GrpcEndpoint::add(UniqueFd connection) {
  grpc::AddInsecureChannelFromFd(server_.get(), connection.release());
}

bool GrpcEndpoint::answers(std::chrono::milliseconds limit) {
  const auto stub = ::grpc::health::v1::Health::NewStub(own_channel_);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + limit);
  ::grpc::health::v1::HealthCheckResponse response;
  return stub->Check(&context, {}, &response).ok();
}

}  // namespace lvmd::server
