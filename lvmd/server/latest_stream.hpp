// A server stream that tells the newest message of a Broadcast.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/call_record.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

// Lives until gRPC is done with it, and deletes itself then. One message is on its way and at most
// one waits: a slow client misses states in between, never the newest, and holds up nobody
// [P-WATCH-5].
template <typename Message>
class LatestStream final : public grpc::ServerWriteReactor<Message>,
                           public Broadcast<Message>::Listener {
 public:
  LatestStream(Broadcast<Message>& source, CallRecord record)
      : source_(source), record_(std::move(record)) {
    source_.add(*this);
  }

 private:
  ~LatestStream() = default;

  void offer(std::shared_ptr<const Message> message) override {
    const std::lock_guard lock{mutex_};
    if (end_) return;
    waiting_ = std::move(message);
    go_on();
  }

  void end(const Error& reason) override { end_with(reason); }

  void end_with(const Error& reason) {
    const std::lock_guard lock{mutex_};
    if (end_) return;
    end_ = reason;
    go_on();
  }

  // gRPC takes the end of a stream only when no message is on its way.
  void go_on() {
    if (writing_ != nullptr) return;
    if (end_) {
      record_.finish(end_->code, end_->message);
      this->Finish(to_status(*end_));
    } else if (waiting_ != nullptr) {
      writing_ = std::exchange(waiting_, nullptr);
      this->StartWrite(writing_.get());
    }
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock{mutex_};
    writing_ = nullptr;
    if (!ok && !end_) end_ = Error{.code = Code::kCancelled, .message = "the client is gone"};
    go_on();
  }

  void OnCancel() override {
    end_with(Error{.code = Code::kCancelled, .message = "the client is gone"});
  }

  void OnDone() override {
    source_.remove(*this);
    delete this;
  }

  Broadcast<Message>& source_;
  const CallRecord record_;
  std::mutex mutex_;
  std::shared_ptr<const Message> writing_;
  std::shared_ptr<const Message> waiting_;
  std::optional<Error> end_;
};

}  // namespace lvmd::server
