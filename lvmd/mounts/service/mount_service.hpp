// lvmd.v1.MountService: mounts that the whole host sees. Each call is checked here and done by a
// mounter of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lvmd/mounts/service/mount_checks.hpp"
#include "lvmd/mounts/service/mounter_client.hpp"
#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/pending_call.hpp"
#include "lvmd/v1/mount.grpc.pb.h"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::mounts {

class MountService final : public v1::MountService::CallbackService {
 public:
  // `roots` are the folders below which mounts are allowed. The references must outlive it.
  MountService(server::Host& host, volumes::Backend& backend, MounterClient& mounters,
               server::Broadcast<v1::VolumesInUse>& uses, std::vector<std::string> roots)
      : host_(host),
        backend_(backend),
        mounters_(mounters),
        uses_(uses),
        roots_(std::move(roots)) {}

  server::UnaryReactor* Mount(server::Context* context, const v1::MountRequest* request,
                              v1::MountResponse* response) override;
  server::UnaryReactor* Unmount(server::Context* context, const v1::UnmountRequest* request,
                                v1::UnmountResponse* response) override;
  server::UnaryReactor* ListMounts(server::Context* context, const v1::ListMountsRequest* request,
                                   v1::ListMountsResponse* response) override;
  server::UnaryReactor* GrowFileSystem(server::Context* context,
                                       const v1::GrowFileSystemRequest* request,
                                       v1::GrowFileSystemResponse* response) override;
  server::UnaryReactor* GetUsage(server::Context* context, const v1::GetUsageRequest* request,
                                 v1::GetUsageResponse* response) override;
  grpc::ServerWriteReactor<v1::VolumesInUse>* Watch(server::Context* context,
                                                    const v1::WatchMountsRequest* request) override;

 private:
  using MountCall = server::PendingCall<internal::MountReply>;

  template <typename Request>
  server::UnaryReactor* checked_call(server::Context& context, server::CallRecord record,
                                     const Request& request, MountCall::Fill fill);
  server::UnaryReactor* submit(server::Context& context, const server::CallRecord& record,
                               internal::MountJob job, MountCall::Fill fill);

  server::Host& host_;
  volumes::Backend& backend_;
  MounterClient& mounters_;
  server::Broadcast<v1::VolumesInUse>& uses_;
  const std::vector<std::string> roots_;
};

}  // namespace lvmd::mounts
