// One connection to lvmd and the calls in progress on it, so that a stop can end them.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"

namespace lvmd::reconciler {

// Safe from every thread.
//
// A failed call returns lvmd's code, message, reason and metadata. Unavailable with the reason
// LVMD_UNREACHABLE when the connection failed.
class Connection {
 public:
  using Exchange = std::function<grpc::Status(grpc::ClientContext&)>;

  // Connects on first use, and again soon after lvmd was unavailable. `limit`: of a call.
  Connection(std::string socket_path, std::chrono::milliseconds limit);

  template <typename Service>
  [[nodiscard]] std::unique_ptr<typename Service::Stub> stub() const {
    return Service::NewStub(channel_);
  }

  // Keys and values; an empty value is not sent.
  using Metadata = std::vector<std::pair<std::string, std::string>>;

  // One call of the stub's method.
  template <typename Stub, typename Request, typename Response>
  [[nodiscard]] Result<Response> call(Stub& stub,
                                      grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                                   const Request&, Response*),
                                      const Request& request, const Metadata& metadata = {}) {
    Response response;
    const Status called = exchange([&](grpc::ClientContext& context) {
      for (const auto& [key, value] : metadata)
        if (!value.empty()) context.AddMetadata(key, value);
      return (stub.*method)(&context, request, &response);
    });
    if (!called) return std::unexpected(called.error());
    return response;
  }

  // The same for a call of any kind.
  [[nodiscard]] Status exchange(const Exchange& exchange);

  // Without a time limit: a stream lasts as long as there is something to report.
  [[nodiscard]] Status follow(const Exchange& exchange);

  // The same for a stream of states: calls `seen` with each message of the stream that `open`
  // returns. Unavailable if the first message, which lvmd sends at once [P-WATCH-1], does not
  // arrive within 30 s.
  template <typename Message, typename Open, typename Seen>
  [[nodiscard]] Status follow_states(const Open& open, const Seen& seen) {
    bool is_first = true;
    const Status ended = follow([&](grpc::ClientContext& context) {
      const auto stream = open(context);
      std::jthread deadline = cancel_without_state(context);
      for (Message state; stream->Read(&state);) {
        if (std::exchange(is_first, false)) deadline.request_stop();
        seen(state);
      }
      deadline.request_stop();
      return stream->Finish();
    });
    return is_first ? explain_silence(ended) : ended;
  }

  // Ends every call in progress, and all later ones, with Cancelled.
  void cancel_all();
  [[nodiscard]] bool is_cancelled() const;

  [[nodiscard]] const std::string& socket_path() const { return socket_path_; }

 private:
  [[nodiscard]] Status run(grpc::ClientContext& context, const Exchange& exchange);
  // Cancels the call after the time, unless the thread is stopped before. The context must outlive
  // it.
  [[nodiscard]] static std::jthread cancel_without_state(grpc::ClientContext& context);
  // The status of a stream without any message: Unavailable if its time was over.
  [[nodiscard]] Status explain_silence(const Status& ended) const;

  const std::string socket_path_;
  const std::chrono::milliseconds limit_;
  const std::shared_ptr<grpc::Channel> channel_;
  mutable std::mutex mutex_;
  std::set<grpc::ClientContext*> active_;
  bool cancelled_ = false;
};

// A request of lvmd's protocol about that volume.
template <typename Request>
[[nodiscard]] Request request_about(const VolumeName& volume) {
  Request request;
  request.set_name(volume.name);
  request.set_device_class(volume.device_class);
  return request;
}

}  // namespace lvmd::reconciler
