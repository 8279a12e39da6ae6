#include "lvmd/server/transfer_stream.hpp"

#include <utility>

#include "lvmd/server/error_details.hpp"
#include "lvmd/transfer/record.hpp"

namespace lvmd::server {
namespace {

Status client_gone() {
  return std::unexpected(Error{.code = Code::kCancelled, .message = "the client is gone"});
}

}  // namespace

TransferStream::TransferStream(TransferBook& book, const transfer::TransferKey& key,
                               CallRecord record)
    : book_(book), record_(std::move(record)) {
  book_.add(key, *this);
}

void TransferStream::offer(std::shared_ptr<const v1::Transfer> transfer) {
  const std::lock_guard lock{mutex_};
  if (end_) return;
  waiting_ = std::move(transfer);
  go_on();
}

void TransferStream::end(const Error& reason) {
  const std::lock_guard lock{mutex_};
  if (end_) return;
  end_ = std::unexpected(reason);
  go_on();
}

void TransferStream::go_on() {
  // gRPC takes the end of a stream only when no message is on its way.
  if (writing_ != nullptr || finished_) return;
  if (end_) {
    finished_ = true;
    record_.finish(*end_ ? Code::kOk : end_->error().code, *end_ ? "" : end_->error().message);
    Finish(*end_ ? grpc::Status::OK : to_status(end_->error()));
  } else if (waiting_ != nullptr) {
    writing_ = std::exchange(waiting_, nullptr);
    StartWrite(writing_.get());
  }
}

void TransferStream::OnWriteDone(bool ok) {
  const std::lock_guard lock{mutex_};
  const auto written = std::exchange(writing_, nullptr);
  if (!end_ && !ok) end_ = client_gone();
  if (!end_ && transfer::has_ended(written->phase())) end_ = Status{};
  go_on();
}

void TransferStream::OnCancel() { end(client_gone().error()); }

void TransferStream::OnDone() {
  book_.remove(*this);
  delete this;
}

}  // namespace lvmd::server
