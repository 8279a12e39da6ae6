// grpc.health.v1.Health over the health board. Our own instead of gRPC's built-in one, which
// reflection can't describe and whose streams hold up a shutdown.
#pragma once

#include "health.grpc.pb.h"
#include "lvmd/server/health_board.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/metrics.hpp"
#include "lvmd/server/peer_table.hpp"

namespace lvmd::server {

class HealthService final : public ::grpc::health::v1::Health::CallbackService {
 public:
  HealthService(HealthBoard& board, const PeerTable& peers, Metrics& metrics, InFlight& streams)
      : board_(board), peers_(peers), metrics_(metrics), streams_(streams) {}

  // Why a service doesn't serve, or what should be known of one that does, is in the trailing
  // metadata "lvmd-reason" [P-HEALTH-6].
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const ::grpc::health::v1::HealthCheckRequest* request,
                                  HealthMessage* response) override;
  grpc::ServerWriteReactor<HealthMessage>* Watch(
      grpc::CallbackServerContext* context,
      const ::grpc::health::v1::HealthCheckRequest* request) override;

 private:
  HealthBoard& board_;
  const PeerTable& peers_;
  Metrics& metrics_;
  InFlight& streams_;
};

}  // namespace lvmd::server
