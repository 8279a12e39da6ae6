// lvmd.v1.MountService: mounts that the whole host sees. Each call is checked here and done by a
// mounter of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lvmd/server/backend.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/mount_checks.hpp"
#include "lvmd/server/peer_table.hpp"
#include "lvmd/server/pending_call.hpp"
#include "lvmd/v1/mount.grpc.pb.h"

namespace lvmd::server {

class MountService final : public v1::MountService::CallbackService {
 public:
  // `roots`: below which mounts may be.
  MountService(Backend& backend, const PeerTable& peers, InFlight& in_flight,
               std::vector<std::string> roots)
      : backend_(backend), peers_(peers), in_flight_(in_flight), roots_(std::move(roots)) {}

  grpc::ServerUnaryReactor* Mount(grpc::CallbackServerContext* context,
                                  const v1::MountRequest* request,
                                  v1::MountResponse* response) override;
  grpc::ServerUnaryReactor* Unmount(grpc::CallbackServerContext* context,
                                    const v1::UnmountRequest* request,
                                    v1::UnmountResponse* response) override;
  grpc::ServerUnaryReactor* ListMounts(grpc::CallbackServerContext* context,
                                       const v1::ListMountsRequest* request,
                                       v1::ListMountsResponse* response) override;

 private:
  using MountCall = PendingCall<internal::Mounts>;

  template <typename Request>
  grpc::ServerUnaryReactor* checked_call(grpc::CallbackServerContext& context, CallRecord record,
                                         const Request& request, MountCall::Fill fill);
  grpc::ServerUnaryReactor* submit(grpc::CallbackServerContext& context, const CallRecord& record,
                                   internal::MountJob job, MountCall::Fill fill);

  Backend& backend_;
  const PeerTable& peers_;
  InFlight& in_flight_;
  const std::vector<std::string> roots_;
};

}  // namespace lvmd::server
