// lvmd-health: queries the health of a running lvmd. `lvmd health` executes it [P-CLI-4].
//
//   lvmd-health SOCKET [SERVICE...]
//
// Prints one line for lvmd as a whole and one for each service. Exit code 0: lvmd as a whole is
// SERVING.
#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "health.grpc.pb.h"

namespace {

using grpc::health::v1::Health;
using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;

constexpr std::chrono::seconds kLimit{5};

// Prints the health of `service` after `label`. Returns true if it is SERVING.
bool report(Health::Stub& stub, const std::string& service, const std::string& label) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kLimit);
  HealthCheckRequest request;
  request.set_service(service);
  HealthCheckResponse response;
  const grpc::Status status = stub.Check(&context, request, &response);
  if (!status.ok()) {
    fmt::print("{}: no answer: {}\n", label, status.error_message());
    return false;
  }
  const auto& trailer = context.GetServerTrailingMetadata();
  const auto reason = trailer.find("lvmd-reason");
  fmt::print("{}: {}{}\n", label, HealthCheckResponse::ServingStatus_Name(response.status()),
             reason == trailer.end()
                 ? std::string{}
                 : fmt::format(" ({})", std::string{reason->second.data(), reason->second.size()}));
  return response.status() == HealthCheckResponse::SERVING;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: lvmd-health SOCKET [SERVICE...]; see `lvmd health --help`\n");
    return 2;
  }
  const std::string socket = argv[1];
  const auto channel = grpc::CreateChannel("unix:" + socket, grpc::InsecureChannelCredentials());
  const auto stub = Health::NewStub(channel);
  const bool serves = report(*stub, "", socket);
  for (int i = 2; i < argc; ++i) report(*stub, argv[i], argv[i]);
  return serves ? 0 : 1;
}
