// lvmd.v1.OwnerService: the owners of volumes. The worker of the volume's group sets the owner's
// tag [P-OWNER-*].
#pragma once

#include "lvmd/server/host.hpp"
#include "lvmd/v1/owner.grpc.pb.h"
#include "lvmd/volumes/service/backend.hpp"
#include "lvmd/volumes/service/worker_client.hpp"

namespace lvmd::volumes {

class OwnerService final : public v1::OwnerService::CallbackService {
 public:
  // `backend` and `host` must outlive the service.
  OwnerService(Backend& backend, server::Host& host) : backend_(backend), host_(host) {}

  server::UnaryReactor* SetOwner(server::Context* context, const v1::SetOwnerRequest* request,
                                 v1::SetOwnerResponse* response) override;
  server::UnaryReactor* ListVolumes(server::Context* context, const v1::ListVolumesRequest* request,
                                    v1::ListVolumesResponse* response) override;

 private:
  Backend& backend_;
  server::Host& host_;
};

}  // namespace lvmd::volumes
