// bench-bare: what gRPC alone costs here. A server that has nothing to do: a health check, and
// GetLVList answered with the same bytes each time, from memory.
#include <fmt/format.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "health.grpc.pb.h"
#include "lvmd.grpc.pb.h"
#include "lvmd/base/result.hpp"
#include "tests/contract/client.hpp"

namespace lvmd::bench {
namespace {

namespace health_v1 = ::grpc::health::v1;

struct Options {
  std::string listen;
  std::string copied_socket;
  std::string device_class = "ssd";
};

class Health final : public health_v1::Health::CallbackService {
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const health_v1::HealthCheckRequest* /*request*/,
                                  health_v1::HealthCheckResponse* response) override {
    response->set_status(health_v1::HealthCheckResponse::SERVING);
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

// Raw: neither reads the request nor makes a message of the answer.
class Lists final
    : public proto::VGService::WithRawCallbackMethod_GetLVList<proto::VGService::Service> {
 public:
  explicit Lists(const std::string& answer) {
    const grpc::Slice slice{answer};
    answer_ = grpc::ByteBuffer{&slice, 1};
  }

  grpc::ServerUnaryReactor* GetLVList(grpc::CallbackServerContext* context,
                                      const grpc::ByteBuffer* /*request*/,
                                      grpc::ByteBuffer* response) override {
    *response = answer_;
    grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  grpc::ByteBuffer answer_;
};

// What the lvmd at the socket lists now; nothing without a socket.
Result<std::string> answer_to_copy(const Options& options) {
  if (options.copied_socket.empty()) return std::string{};
  contract::Client lvmd{options.copied_socket};
  const auto list = lvmd.list(options.device_class);
  if (!list.ok())
    return fail(list.code, "GetLVList of class {} at {}: {}", options.device_class,
                options.copied_socket, list.message);
  return list.response.SerializeAsString();
}

Status serve(const Options& options) {
  const auto answer = answer_to_copy(options);
  if (!answer) return std::unexpected(answer.error());
  Health health;
  Lists lists{*answer};
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + options.listen, grpc::InsecureServerCredentials());
  builder.RegisterService(&health);
  builder.RegisterService(&lists);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return fail(Code::kUnavailable, "can't listen at {}", options.listen);
  server->Wait();
  return {};
}

}  // namespace
}  // namespace lvmd::bench

int main(int argc, char** argv) try {
  using namespace lvmd;
  bench::Options options;
  CLI::App app{
      "A gRPC server that does nothing but answer, until a signal ends it: health checks, and "
      "GetLVList with what an lvmd listed when this was started."};
  app.set_version_flag("--version", "bench-bare " LVMD_VERSION);
  app.add_option("--listen", options.listen, "path of its socket")->required();
  app.add_option("--copy", options.copied_socket,
                 "socket of the lvmd whose list it gives; without: an empty list");
  app.add_option("--class", options.device_class, "the device class of the list")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const Status done = bench::serve(options);
  if (done) return 0;
  fmt::print(stderr, "bench-bare: {}\n", describe(done.error()));
  return 1;
} catch (const std::exception& unexpected) {
  fmt::print(stderr, "bench-bare: unexpected: {}\n", unexpected.what());
  return 1;
}
