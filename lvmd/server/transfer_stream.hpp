// The stream of TransferService's Watch.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <mutex>
#include <optional>

#include "lvmd/server/call_record.hpp"
#include "lvmd/server/transfer_book.hpp"

namespace lvmd::server {

// Lives until gRPC is done with it, and deletes itself then. One message is on its way and at most
// one waits: the newest. The message that the transfer has ended is the last, and the end is OK.
class TransferStream final : public grpc::ServerWriteReactor<v1::Transfer>,
                             public TransferBook::Listener {
 public:
  TransferStream(TransferBook& book, const transfer::TransferKey& key, CallRecord record);

 private:
  ~TransferStream() = default;

  void offer(std::shared_ptr<const v1::Transfer> transfer) override;
  void end(const Error& reason) override;
  void go_on();
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

  TransferBook& book_;
  const CallRecord record_;
  std::mutex mutex_;
  std::shared_ptr<const v1::Transfer> writing_;
  std::shared_ptr<const v1::Transfer> waiting_;
  std::optional<Status> end_;
  bool finished_ = false;
};

}  // namespace lvmd::server
