// proto.VGService: the reads. The read model answers them without waiting for LVM [P-RUN-2].
#pragma once

#include "lvmd.grpc.pb.h"
#include "lvmd/server/arena_messages.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::volumes {

class VgService final : public proto::VGService::CallbackService {
 public:
  // `backend` and `host` must outlive the service.
  VgService(Backend& backend, server::Host& host);

  server::UnaryReactor* GetLVList(server::Context* context, const proto::GetLVListRequest* request,
                                  proto::GetLVListResponse* response) override;
  server::UnaryReactor* GetFreeBytes(server::Context* context,
                                     const proto::GetFreeBytesRequest* request,
                                     proto::GetFreeBytesResponse* response) override;
  grpc::ServerWriteReactor<proto::WatchResponse>* Watch(server::Context* context,
                                                        const proto::Empty* request) override;

 private:
  Backend& backend_;
  server::Host& host_;
  server::ArenaMessages<proto::GetLVListRequest, proto::GetLVListResponse> lists_;
};

}  // namespace lvmd::volumes
