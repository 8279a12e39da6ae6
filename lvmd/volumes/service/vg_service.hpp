// proto.VGService: the reads. The read model answers them without waiting for LVM [P-RUN-2].
#pragma once

#include "lvmd.grpc.pb.h"
#include "lvmd/server/host.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::volumes {

// The typed form of GetLVList would encode the response for each call.
using VgServiceBase = proto::VGService::WithRawCallbackMethod_GetLVList<
    proto::VGService::WithCallbackMethod_GetFreeBytes<
        proto::VGService::WithCallbackMethod_Watch<proto::VGService::Service>>>;

class VgService final : public VgServiceBase {
 public:
  // `backend` and `host` must outlive the service.
  VgService(Backend& backend, server::Host& host) : backend_(backend), host_(host) {}

  server::UnaryReactor* GetLVList(server::Context* context, const grpc::ByteBuffer* request,
                                  grpc::ByteBuffer* response) override;
  server::UnaryReactor* GetFreeBytes(server::Context* context,
                                     const proto::GetFreeBytesRequest* request,
                                     proto::GetFreeBytesResponse* response) override;
  grpc::ServerWriteReactor<proto::WatchResponse>* Watch(server::Context* context,
                                                        const proto::Empty* request) override;

 private:
  Backend& backend_;
  server::Host& host_;
};

}  // namespace lvmd::volumes
