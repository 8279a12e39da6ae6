// grpc.health.v1.Health over the health board. Our own instead of gRPC's built-in one, which
// reflection can't describe and whose streams hold up a shutdown.
#pragma once

#include "health.grpc.pb.h"
#include "lvmd/server/health_board.hpp"
#include "lvmd/server/peer_table.hpp"

namespace lvmd::server {

class HealthService final : public ::grpc::health::v1::Health::CallbackService {
 public:
  HealthService(HealthBoard& board, const PeerTable& peers) : board_(board), peers_(peers) {}

  // A service that doesn't serve has its reason in the trailing metadata "lvmd-reason".
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const ::grpc::health::v1::HealthCheckRequest* request,
                                  HealthMessage* response) override;
  grpc::ServerWriteReactor<HealthMessage>* Watch(
      grpc::CallbackServerContext* context,
      const ::grpc::health::v1::HealthCheckRequest* request) override;

 private:
  HealthBoard& board_;
  const PeerTable& peers_;
};

}  // namespace lvmd::server
