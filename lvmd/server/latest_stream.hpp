// A server stream that sends the newest value of a message.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "lvmd/server/broadcast.hpp"
#include "lvmd/server/call_record.hpp"
#include "lvmd/server/in_flight.hpp"
#include "lvmd/server/rpc_edge.hpp"

namespace lvmd::server {

// Deletes itself when gRPC has finished the stream. One message is being written and at most one
// waits: a slow client skips intermediate states, but always gets the newest, and delays no other
// client [P-WATCH-5].
template <typename Message>
class LatestStream final : public grpc::ServerWriteReactor<Message>,
                           public Broadcast<Message>::Subscriber {
 public:
  using Subscriber = typename Broadcast<Message>::Subscriber;

  // Supplies the messages.
  struct Source {
    // As add() and remove() of Broadcast.
    std::function<void(Subscriber&)> add;
    std::function<void(Subscriber&)> remove;
    // The stream ends with OK after a message for which this returns true. Empty: it never ends so.
    std::function<bool(const Message&)> is_last{};
  };

  // `streams` counts the stream while it exists; it is never closed.
  LatestStream(Source source, CallRecord record, InFlight& streams)
      : source_(std::move(source)), record_(std::move(record)), streams_(streams) {
    static_cast<void>(streams_.begin());
    source_.add(*this);
  }

  // The messages come from `broadcast`. The stream ends when `broadcast` ends it.
  LatestStream(Broadcast<Message>& broadcast, CallRecord record, InFlight& streams)
      : LatestStream(Source{.add = [&broadcast](Subscriber& to) { broadcast.add(to); },
                            .remove = [&broadcast](Subscriber& to) { broadcast.remove(to); }},
                     std::move(record), streams) {}

  // A stream without a message that ends with `error`.
  [[nodiscard]] static LatestStream* refused(CallRecord record, const Error& error,
                                             InFlight& streams) {
    return new LatestStream{Source{.add = [error](Subscriber& to) { to.end(error); },
                                   .remove = [](Subscriber& /*to*/) {}},
                            std::move(record), streams};
  }

 private:
  ~LatestStream() override = default;

  void offer(std::shared_ptr<const Message> message) override {
    const std::lock_guard lock{mutex_};
    if (end_) return;
    waiting_ = std::move(message);
    continue_writing();
  }

  void end(const Error& reason) override {
    const std::lock_guard lock{mutex_};
    if (end_) return;
    end_ = std::unexpected(reason);
    continue_writing();
  }

  // gRPC accepts the end of a stream only when no message is being written.
  void continue_writing() {
    if (writing_ != nullptr) return;
    if (end_) {
      record_.finish(*end_ ? Code::kOk : end_->error().code, *end_ ? "" : end_->error().message);
      this->Finish(*end_ ? grpc::Status::OK : to_status(end_->error()));
    } else if (waiting_ != nullptr) {
      writing_ = std::exchange(waiting_, nullptr);
      this->StartWrite(writing_.get());
    }
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard lock{mutex_};
    const auto written = std::exchange(writing_, nullptr);
    if (!end_ && !ok) end_ = std::unexpected(client_gone());
    if (!end_ && source_.is_last && source_.is_last(*written)) end_ = Status{};
    continue_writing();
  }

  void OnCancel() override { end(client_gone()); }

  void OnDone() override {
    source_.remove(*this);
    streams_.end();
    delete this;
  }

  static Error client_gone() {
    return {.code = Code::kCancelled,
            .message = "the client cancelled the stream or closed its connection"};
  }

  const Source source_;
  const CallRecord record_;
  InFlight& streams_;
  std::mutex mutex_;
  std::shared_ptr<const Message> writing_;
  std::shared_ptr<const Message> waiting_;
  std::optional<Status> end_;
};

}  // namespace lvmd::server
