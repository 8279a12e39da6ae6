// lvmd.v1.TransferService: backups, restores, deletions and checks, each done by a mover of its
// own.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/log.hpp"
#include "lvmd/server/backend.hpp"
#include "lvmd/server/call_record.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/peer_table.hpp"
#include "lvmd/server/transfers.hpp"
#include "lvmd/v1/transfer.grpc.pb.h"

namespace lvmd::server {

class TransferService final : public v1::TransferService::CallbackService {
 public:
  TransferService(Backend& backend, const PeerTable& peers, Transfers& transfers,
                  InFlight& in_flight, InFlight& streams)
      : backend_(backend),
        peers_(peers),
        transfers_(transfers),
        in_flight_(in_flight),
        streams_(streams) {}

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
  [[nodiscard]] CallRecord record_of(std::string_view method, grpc::CallbackServerContext& context,
                                     log::Priority success) const;

  Backend& backend_;
  const PeerTable& peers_;
  Transfers& transfers_;
  InFlight& in_flight_;
  InFlight& streams_;
};

}  // namespace lvmd::server
