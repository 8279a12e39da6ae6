// lvmd.v1.OwnerService: whose a volume is. The mark is set by the worker of the volume's group
// [P-OWNER-*].
#pragma once

#include "lvmd/server/backend.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/peer_table.hpp"
#include "lvmd/server/pending_call.hpp"
#include "lvmd/server/worker_client.hpp"
#include "lvmd/v1/owner.grpc.pb.h"

namespace lvmd::server {

class OwnerService final : public v1::OwnerService::CallbackService {
 public:
  OwnerService(Backend& backend, const PeerTable& peers, InFlight& in_flight)
      : backend_(backend), peers_(peers), in_flight_(in_flight) {}

  grpc::ServerUnaryReactor* SetOwner(grpc::CallbackServerContext* context,
                                     const v1::SetOwnerRequest* request,
                                     v1::SetOwnerResponse* response) override;
  grpc::ServerUnaryReactor* ListVolumes(grpc::CallbackServerContext* context,
                                        const v1::ListVolumesRequest* request,
                                        v1::ListVolumesResponse* response) override;

 private:
  using ChangeCall = PendingCall<ChangeOutcome::value_type>;

  Backend& backend_;
  const PeerTable& peers_;
  InFlight& in_flight_;
};

}  // namespace lvmd::server
