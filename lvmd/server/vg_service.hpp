// proto.VGService: the reads. Answered from the read model, never waiting for LVM [P-RUN-2].
#pragma once

#include "lvmd.grpc.pb.h"
#include "lvmd/server/backend.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/peer_table.hpp"

namespace lvmd::server {

class VgService final : public proto::VGService::CallbackService {
 public:
  VgService(Backend& backend, const PeerTable& peers, InFlight& streams)
      : backend_(backend), peers_(peers), streams_(streams) {}

  grpc::ServerUnaryReactor* GetLVList(grpc::CallbackServerContext* context,
                                      const proto::GetLVListRequest* request,
                                      proto::GetLVListResponse* response) override;
  grpc::ServerUnaryReactor* GetFreeBytes(grpc::CallbackServerContext* context,
                                         const proto::GetFreeBytesRequest* request,
                                         proto::GetFreeBytesResponse* response) override;
  grpc::ServerWriteReactor<proto::WatchResponse>* Watch(grpc::CallbackServerContext* context,
                                                        const proto::Empty* request) override;

 private:
  Backend& backend_;
  const PeerTable& peers_;
  InFlight& streams_;
};

}  // namespace lvmd::server
