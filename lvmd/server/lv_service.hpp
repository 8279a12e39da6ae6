// proto.LVService: the calls that change volumes. Each is checked here and done by the worker of
// its volume group.
#pragma once

#include <string_view>

#include "lvmd.grpc.pb.h"
#include "lvmd/server/backend.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/peer_table.hpp"
#include "lvmd/server/pending_call.hpp"
#include "lvmd/server/worker_client.hpp"

namespace lvmd::server {

class LvService final : public proto::LVService::CallbackService {
 public:
  LvService(Backend& backend, const PeerTable& peers, InFlight& in_flight)
      : backend_(backend), peers_(peers), in_flight_(in_flight) {}

  grpc::ServerUnaryReactor* CreateLV(grpc::CallbackServerContext* context,
                                     const proto::CreateLVRequest* request,
                                     proto::CreateLVResponse* response) override;
  grpc::ServerUnaryReactor* RemoveLV(grpc::CallbackServerContext* context,
                                     const proto::RemoveLVRequest* request,
                                     proto::Empty* response) override;
  grpc::ServerUnaryReactor* ResizeLV(grpc::CallbackServerContext* context,
                                     const proto::ResizeLVRequest* request,
                                     proto::ResizeLVResponse* response) override;
  grpc::ServerUnaryReactor* CreateLVSnapshot(grpc::CallbackServerContext* context,
                                             const proto::CreateLVSnapshotRequest* request,
                                             proto::CreateLVSnapshotResponse* response) override;

 private:
  // Answered with the volume; without one after a removal.
  using ChangeCall = PendingCall<ChangeOutcome::value_type>;

  template <typename Request>
  grpc::ServerUnaryReactor* change(std::string_view method, grpc::CallbackServerContext& context,
                                   const Request& request, ChangeCall::Fill fill);

  Backend& backend_;
  const PeerTable& peers_;
  InFlight& in_flight_;
};

}  // namespace lvmd::server
