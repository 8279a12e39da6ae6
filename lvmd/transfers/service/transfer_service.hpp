// lvmd.v1.TransferService: backups, restores, deletions and checks, each run by a mover of its own.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/log.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/transfers/service/transfer_control.hpp"
#include "lvmd/v1/transfer.grpc.pb.h"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::transfers {

class TransferService final : public v1::TransferService::CallbackService {
 public:
  // The references must outlive it.
  TransferService(server::Host& host, volumes::Backend& backend, TransferControl& control)
      : host_(host), backend_(backend), control_(control) {}

  grpc::ServerUnaryReactor* StartBackup(grpc::CallbackServerContext* context,
                                        const v1::StartBackupRequest* request,
                                        v1::Transfer* response) override;
  grpc::ServerUnaryReactor* StartRestore(grpc::CallbackServerContext* context,
                                         const v1::StartRestoreRequest* request,
                                         v1::Transfer* response) override;
  grpc::ServerUnaryReactor* DeleteBackup(grpc::CallbackServerContext* context,
                                         const v1::DeleteBackupRequest* request,
                                         v1::Transfer* response) override;
  grpc::ServerUnaryReactor* StartCheck(grpc::CallbackServerContext* context,
                                       const v1::StartCheckRequest* request,
                                       v1::Transfer* response) override;
  grpc::ServerUnaryReactor* Get(grpc::CallbackServerContext* context,
                                const v1::TransferName* request, v1::Transfer* response) override;
  grpc::ServerUnaryReactor* List(grpc::CallbackServerContext* context,
                                 const v1::ListTransfersRequest* request,
                                 v1::ListTransfersResponse* response) override;
  grpc::ServerWriteReactor<v1::Transfer>* Watch(grpc::CallbackServerContext* context,
                                                const v1::TransferName* request) override;
  grpc::ServerUnaryReactor* Cancel(grpc::CallbackServerContext* context,
                                   const v1::TransferName* request,
                                   v1::Transfer* response) override;

 private:
  template <typename Request>
  grpc::ServerUnaryReactor* start(std::string_view method, grpc::CallbackServerContext& context,
                                  const Request& request, const std::string& device_class,
                                  v1::Transfer& response);

  server::Host& host_;
  volumes::Backend& backend_;
  TransferControl& control_;
};

}  // namespace lvmd::transfers
