// proto.LVService: the calls that change volumes. The service checks a call, and the worker of its
// volume group runs it.
#pragma once

#include <string_view>

#include "lvmd.grpc.pb.h"
#include "lvmd/server/host.hpp"
#include "lvmd/volumes/service/backend.hpp"
#include "lvmd/volumes/service/change_call.hpp"
#include "lvmd/volumes/service/worker_client.hpp"

namespace lvmd::volumes {

class LvService final : public proto::LVService::CallbackService {
 public:
  // `backend` and `host` must outlive the service.
  LvService(Backend& backend, server::Host& host) : backend_(backend), host_(host) {}

  server::UnaryReactor* CreateLV(server::Context* context, const proto::CreateLVRequest* request,
                                 proto::CreateLVResponse* response) override;
  server::UnaryReactor* RemoveLV(server::Context* context, const proto::RemoveLVRequest* request,
                                 proto::Empty* response) override;
  server::UnaryReactor* ResizeLV(server::Context* context, const proto::ResizeLVRequest* request,
                                 proto::ResizeLVResponse* response) override;
  server::UnaryReactor* CreateLVSnapshot(server::Context* context,
                                         const proto::CreateLVSnapshotRequest* request,
                                         proto::CreateLVSnapshotResponse* response) override;

 private:
  template <typename Request>
  server::UnaryReactor* change(std::string_view method, server::Context& context,
                               const Request& request, ChangeCall::Fill fill);

  Backend& backend_;
  server::Host& host_;
};

}  // namespace lvmd::volumes
