// csi-controller's services in this process, on an API server in memory.
#pragma once

#include <grpcpp/create_channel.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "csi.grpc.pb.h"
#include "csi/controller/controller_service.hpp"
#include "csi/controller/identity_service.hpp"
#include "tests/rpc/rig.hpp"
#include "tests/unit/csi/controller/fake_objects.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

namespace lvmd::rpc {

class ControllerRig {
 public:
  explicit ControllerRig(bool attach_required = false)
      : controller_(edge_, objects, {.attach_required = attach_required}),
        identity_(edge_, objects, {}, "1.2.3") {
    grpc::ServerBuilder builder;
    builder.RegisterService(&controller_);
    builder.RegisterService(&identity_);
    server_ = builder.BuildAndStart();
    const auto channel = server_->InProcessChannel({});
    controller = controller::api::Controller::NewStub(channel);
    identity = controller::api::Identity::NewStub(channel);
  }
  ControllerRig(const ControllerRig&) = delete;
  ControllerRig& operator=(const ControllerRig&) = delete;
  ~ControllerRig() {
    objects.stop();
    server_->Shutdown();
  }

  controller::test::FakeObjects objects;
  std::unique_ptr<controller::api::Controller::Stub> controller;
  std::unique_ptr<controller::api::Identity::Stub> identity;

 private:
  controller::CallEdge edge_;
  controller::ControllerService controller_;
  controller::IdentityService identity_;
  std::unique_ptr<grpc::Server> server_;
};

// The result of one call.
template <typename Response>
struct Reply {
  grpc::Status status;
  Response response;
  [[nodiscard]] Code code() const { return static_cast<Code>(status.error_code()); }
};

// Calls a method of a stub.
template <typename Stub, typename Request, typename Response>
Reply<Response> send(Stub& stub,
                     grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                     const std::type_identity_t<Request>& request = {},
                     std::chrono::milliseconds limit = kLimit) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + limit);
  Reply<Response> reply;
  reply.status = (stub.*method)(&context, request, &reply.response);
  return reply;
}

}  // namespace lvmd::rpc
