#include "reconciler/lvmd_client/lvmd_client.hpp"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "lvmd.grpc.pb.h"
#include "reconciler/lvmd_client/call_registry.hpp"

namespace lvmd::reconciler {
namespace {

// [R-FAIL-8]
constexpr std::chrono::seconds kDeadline{120};
// gRPC waits up to two minutes between attempts to connect by default: a restarted lvmd would be
// missed for as long.
constexpr int kMaxReconnectMilliseconds = 1000;
// GetLVList of a node with very many volumes.
constexpr int kMaxMessageBytes = 64 << 20;

Error to_error(const grpc::Status& status, std::string_view socket_path) {
  const int code = status.error_code();
  // DATA_LOSS and UNAUTHENTICATED, which lvmd never sends, have no name here.
  if (code < 0 || code > static_cast<int>(Code::kUnavailable))
    return make_error(Code::kUnknown, "lvmd at {} answered code {}: {}", socket_path, code,
                      status.error_message());
  if (status.error_message().empty())
    return make_error(static_cast<Code>(code), "lvmd at {} gave no reason", socket_path);
  return make_error(static_cast<Code>(code), "{}", status.error_message());
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

class LvmdClient final : public VolumeService {
 public:
  explicit LvmdClient(const std::string& socket_path)
      : socket_path_(socket_path),
        channel_(open_channel(socket_path)),
        volumes_(proto::LVService::NewStub(channel_)),
        groups_(proto::VGService::NewStub(channel_)) {}

  Result<std::optional<Bytes>> find(const VolumeName& volume) override {
    proto::GetLVListRequest request;
    request.set_device_class(volume.device_class);
    proto::GetLVListResponse response;
    const Status called = call([&](grpc::ClientContext& context) {
      return groups_->GetLVList(&context, request, &response);
    });
    if (!called) return std::unexpected(called.error());
    const auto found = std::ranges::find(response.volumes(), volume.name,
                                         [](const auto& listed) { return listed.name(); });
    if (found == response.volumes().end()) return std::nullopt;
    return Bytes{found->size_bytes()};
  }

  Result<Bytes> create(const VolumeName& volume, const std::string& option_class,
                       Bytes size) override {
    proto::CreateLVRequest request;
    request.set_name(volume.name);
    request.set_device_class(volume.device_class);
    request.set_lvcreate_option_class(option_class);
    request.set_size_bytes(size.value);
    proto::CreateLVResponse response;
    const Status called = call([&](grpc::ClientContext& context) {
      return volumes_->CreateLV(&context, request, &response);
    });
    if (!called) return std::unexpected(called.error());
    return Bytes{response.volume().size_bytes()};
  }

  Result<Bytes> resize(const VolumeName& volume, Bytes size) override {
    proto::ResizeLVRequest request;
    request.set_name(volume.name);
    request.set_device_class(volume.device_class);
    request.set_size_bytes(size.value);
    proto::ResizeLVResponse response;
    const Status called = call([&](grpc::ClientContext& context) {
      return volumes_->ResizeLV(&context, request, &response);
    });
    if (!called) return std::unexpected(called.error());
    return Bytes{response.size_bytes()};
  }

  Status remove(const VolumeName& volume) override {
    proto::RemoveLVRequest request;
    request.set_name(volume.name);
    request.set_device_class(volume.device_class);
    proto::Empty response;
    return call([&](grpc::ClientContext& context) {
      return volumes_->RemoveLV(&context, request, &response);
    });
  }

  void cancel() override { calls_.cancel_all(); }

 private:
  template <typename Method>
  Status call(const Method& method) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kDeadline);
    const CallRegistry::Call registered{calls_, context};
    const grpc::Status status = method(context);
    if (!status.ok()) return std::unexpected(to_error(status, socket_path_));
    return {};
  }

  std::string socket_path_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<proto::LVService::Stub> volumes_;
  std::unique_ptr<proto::VGService::Stub> groups_;
  CallRegistry calls_;
};

}  // namespace

std::unique_ptr<VolumeService> make_lvmd_client(const std::string& socket_path) {
  return std::make_unique<LvmdClient>(socket_path);
}

}  // namespace lvmd::reconciler
