#include "reconciler/lvmd_client/connection.hpp"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <stop_token>
#include <utility>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "reconciler/model/backoff.hpp"
#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {
namespace {

// By default, gRPC waits up to two minutes between two attempts to connect, even if lvmd was
// restarted meanwhile.
constexpr int kMaxReconnectMilliseconds = 1000;
// For GetLVList of a node with very many volumes.
constexpr int kMaxMessageBytes = 64 << 20;

// A stream without a first state is broken and would never end.
constexpr std::chrono::seconds kFirstState{30};

// Adds reason and metadata if lvmd sent them [P-CODE-20]. TopoLVM's lvmd does not.
Error with_details(Error error, const std::string& details) {
  google::rpc::Status sent;
  google::rpc::ErrorInfo info;
  if (!sent.ParseFromString(details)) return error;
  for (const auto& detail : sent.details()) {
    if (!detail.UnpackTo(&info)) continue;
    error.reason = info.reason();
    error.metadata.assign(info.metadata().begin(), info.metadata().end());
  }
  return error;
}

std::shared_ptr<grpc::Channel> open_channel(const std::string& socket_path) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kMaxReconnectMilliseconds);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kMaxReconnectMilliseconds);
  return grpc::CreateCustomChannel("unix:" + socket_path, grpc::InsecureChannelCredentials(),
                                   arguments);
}

// `status` must not be a success.
Error to_error(const grpc::Status& status, std::string_view socket_path) {
  const int code = status.error_code();
  // DATA_LOSS and UNAUTHENTICATED, which lvmd never sends, have no code here.
  if (code < 0 || code > static_cast<int>(Code::kUnavailable))
    return make_error(Code::kUnknown, "lvmd at {} returned code {}: {}", socket_path, code,
                      status.error_message());
  if (status.error_message().empty())
    return make_error(static_cast<Code>(code), "lvmd at {} gave no reason", socket_path);
  Error error = with_details(make_error(static_cast<Code>(code), "{}", status.error_message()),
                             status.error_details());
  // Errors of lvmd have a reason. This one is from gRPC: the connection failed.
  if (error.code == Code::kUnavailable && error.reason.empty())
    return make_error(error.code, "lvmd at {} cannot be reached: {}", socket_path, error.message)
        .because(own_reason::kLvmdUnreachable);
  return error;
}

}  // namespace

Connection::Connection(std::string socket_path, std::chrono::milliseconds limit)
    : socket_path_(std::move(socket_path)), limit_(limit), channel_(open_channel(socket_path_)) {}

Status Connection::exchange(const Exchange& exchange) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + limit_);
  return run(context, exchange);
}

Status Connection::follow(const Exchange& exchange) {
  grpc::ClientContext context;
  return run(context, exchange);
}

Status Connection::run(grpc::ClientContext& context, const Exchange& exchange) {
  const auto leave = [this](grpc::ClientContext* ended) {
    const std::lock_guard lock{mutex_};
    active_.erase(ended);
  };
  const std::unique_ptr<grpc::ClientContext, decltype(leave)> entered{&context, leave};
  {
    const std::lock_guard lock{mutex_};
    active_.insert(&context);
    if (cancelled_) context.TryCancel();
  }
  const grpc::Status status = exchange(context);
  if (!status.ok()) return std::unexpected(to_error(status, socket_path_));
  return {};
}

std::jthread Connection::cancel_without_state(grpc::ClientContext& context) {
  return std::jthread{[&context](const std::stop_token& lifted) {
    pause(lifted, kFirstState);
    if (!lifted.stop_requested()) context.TryCancel();
  }};
}

Status Connection::explain_silence(const Status& ended) const {
  if (ended || ended.error().code != Code::kCancelled || is_cancelled()) return ended;
  return fail(Code::kUnavailable, "lvmd at {} reported no state for {} s", socket_path_,
              kFirstState.count());
}

void Connection::cancel_all() {
  const std::lock_guard lock{mutex_};
  cancelled_ = true;
  for (grpc::ClientContext* context : active_) context->TryCancel();
}

bool Connection::is_cancelled() const {
  const std::lock_guard lock{mutex_};
  return cancelled_;
}

}  // namespace lvmd::reconciler
