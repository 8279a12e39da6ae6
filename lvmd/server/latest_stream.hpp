// A server stream that tells the newest of something.
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

// Lives until gRPC is done with it, and deletes itself then. One message is on its way and at most
// one waits: a slow client misses states in between, never the newest, and holds up nobody
// [P-WATCH-5].
template <typename Message>
class LatestStream final : public grpc::ServerWriteReactor<Message>,
                           public Broadcast<Message>::Subscriber {
 public:
  using Subscriber = typename Broadcast<Message>::Subscriber;

  // Who tells.
  struct Source {
    // As Broadcast's add() and remove().
    std::function<void(Subscriber&)> add;
    std::function<void(Subscriber&)> remove;
    // After such a message the stream ends with OK; empty: after none.
    std::function<bool(const Message&)> is_last{};
  };

  // `streams` counts it as long as it lives; they are never closed.
  LatestStream(Source source, CallRecord record, InFlight& streams)
      : source_(std::move(source)), record_(std::move(record)), streams_(streams) {
    static_cast<void>(streams_.begin());
    source_.add(*this);
  }

  // Ends when `broadcast` ends it.
  LatestStream(Broadcast<Message>& broadcast, CallRecord record, InFlight& streams)
      : LatestStream(Source{.add = [&broadcast](Subscriber& to) { broadcast.add(to); },
                            .remove = [&broadcast](Subscriber& to) { broadcast.remove(to); }},
                     std::move(record), streams) {}

  // Ends with an error that was found before there was anything to tell.
  [[nodiscard]] static LatestStream* refused(CallRecord record, const Error& error,
                                             InFlight& streams) {
    return new LatestStream{Source{.add = [error](Subscriber& to) { to.end(error); },
                                   .remove = [](Subscriber& /*to*/) {}},
                            std::move(record), streams};
  }

 private:
  ~LatestStream() = default;

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

  // gRPC takes the end of a stream only when no message is on its way.
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

  static Error client_gone() { return {.code = Code::kCancelled, .message = "the client is gone"}; }

  const Source source_;
  const CallRecord record_;
  InFlight& streams_;
  std::mutex mutex_;
  std::shared_ptr<const Message> writing_;
  std::shared_ptr<const Message> waiting_;
  std::optional<Status> end_;
};

}  // namespace lvmd::server
