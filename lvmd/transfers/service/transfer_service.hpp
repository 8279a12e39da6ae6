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

  server::UnaryReactor* StartBackup(server::Context* context, const v1::StartBackupRequest* request,
                                    v1::Transfer* response) override;
  server::UnaryReactor* StartRestore(server::Context* context,
                                     const v1::StartRestoreRequest* request,
                                     v1::Transfer* response) override;
  server::UnaryReactor* DeleteBackup(server::Context* context,
                                     const v1::DeleteBackupRequest* request,
                                     v1::Transfer* response) override;
  server::UnaryReactor* StartCheck(server::Context* context, const v1::StartCheckRequest* request,
                                   v1::Transfer* response) override;
  server::UnaryReactor* Get(server::Context* context, const v1::TransferName* request,
                            v1::Transfer* response) override;
  server::UnaryReactor* List(server::Context* context, const v1::ListTransfersRequest* request,
                             v1::ListTransfersResponse* response) override;
  grpc::ServerWriteReactor<v1::Transfer>* Watch(server::Context* context,
                                                const v1::TransferName* request) override;
  server::UnaryReactor* Cancel(server::Context* context, const v1::TransferName* request,
                               v1::Transfer* response) override;

 private:
  template <typename Request>
  server::UnaryReactor* start(std::string_view method, server::Context& context,
                              const Request& request, const std::string& device_class,
                              v1::Transfer& response);

  server::Host& host_;
  volumes::Backend& backend_;
  TransferControl& control_;
};

}  // namespace lvmd::transfers
