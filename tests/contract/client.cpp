#include "tests/contract/client.hpp"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "health.grpc.pb.h"
#include "lvmd.grpc.pb.h"
#include "lvmd/v1/mount.grpc.pb.h"
#include "lvmd/v1/owner.grpc.pb.h"
#include "lvmd/v1/transfer.grpc.pb.h"
#include "reflection.grpc.pb.h"

namespace lvmd::contract {
namespace {

namespace health_v1 = ::grpc::health::v1;
namespace reflection_v1 = ::grpc::reflection::v1alpha;

void set_limit(grpc::ClientContext& context, std::chrono::milliseconds limit) {
  context.set_deadline(std::chrono::system_clock::now() + limit);
}

template <typename Response>
void set_status(Answer<Response>& answer, const grpc::Status& status) {
  answer.code = static_cast<Code>(status.error_code());
  answer.message = status.error_message();
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  if (status.error_details().empty() || !details.ParseFromString(status.error_details()) ||
      details.details_size() != 1 || !details.details(0).UnpackTo(&info))
    return;
  answer.reason = info.reason();
  answer.domain = info.domain();
  answer.metadata = {info.metadata().begin(), info.metadata().end()};
}

template <typename Response, typename Stub, typename Request>
Answer<Response> call(Stub& stub,
                      grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                      const Request& request, std::chrono::milliseconds limit = kCallLimit) {
  Answer<Response> answer;
  grpc::ClientContext context;
  set_limit(context, limit);
  set_status(answer, (stub.*method)(&context, request, &answer.response));
  return answer;
}

// Reads on its own thread, so that next() can have a time limit.
template <typename Wire, typename Message>
class ReadStream final : public Stream<Message> {
 public:
  using Reader = std::unique_ptr<grpc::ClientReader<Wire>>;

  ReadStream(const std::function<Reader(grpc::ClientContext*)>& open,
             std::function<Message(const Wire&)> convert, bool reading = true)
      : reader_(open(&context_)),
        convert_(std::move(convert)),
        reading_(reading),
        thread_([this] { read(); }) {}
  ReadStream(const ReadStream&) = delete;
  ReadStream& operator=(const ReadStream&) = delete;
  ~ReadStream() override {
    context_.TryCancel();
    start_reading();
    thread_.join();
  }

  void start_reading() override {
    const std::lock_guard lock{mutex_};
    reading_ = true;
    changed_.notify_all();
  }

  std::optional<Message> next(std::chrono::milliseconds limit) override {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, limit, [this] { return !messages_.empty() || end_; });
    if (messages_.empty()) return std::nullopt;
    Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }

  std::optional<Answer<proto::Empty>> end(std::chrono::milliseconds limit) override {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, limit, [this] { return end_.has_value(); });
    return end_;
  }

 private:
  void read() {
    {
      std::unique_lock lock{mutex_};
      changed_.wait(lock, [this] { return reading_; });
    }
    Wire wire;
    while (reader_->Read(&wire)) {
      const std::lock_guard lock{mutex_};
      messages_.push_back(convert_(wire));
      changed_.notify_all();
    }
    Answer<proto::Empty> end;
    set_status(end, reader_->Finish());
    const std::lock_guard lock{mutex_};
    end_ = std::move(end);
    changed_.notify_all();
  }

  grpc::ClientContext context_;
  Reader reader_;
  std::function<Message(const Wire&)> convert_;
  bool reading_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Message> messages_;
  std::optional<Answer<proto::Empty>> end_;
  std::thread thread_;
};

// Sends one request to reflection.
grpc::Status reflect(reflection_v1::ServerReflection::Stub& stub,
                     const reflection_v1::ServerReflectionRequest& request,
                     reflection_v1::ServerReflectionResponse& response) {
  grpc::ClientContext context;
  set_limit(context, kCallLimit);
  const auto stream = stub.ServerReflectionInfo(&context);
  stream->Write(request);
  stream->WritesDone();
  stream->Read(&response);
  return stream->Finish();
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  return out << to_string(outcome.code) << ": " << outcome.message;
}

struct Client::Stubs {
  explicit Stubs(const std::shared_ptr<grpc::Channel>& channel)
      : lv(channel),
        vg(channel),
        mount(channel),
        owners(channel),
        transfers(channel),
        health(channel),
        reflection(channel) {}
  proto::LVService::Stub lv;
  proto::VGService::Stub vg;
  v1::MountService::Stub mount;
  v1::OwnerService::Stub owners;
  v1::TransferService::Stub transfers;
  health_v1::Health::Stub health;
  reflection_v1::ServerReflection::Stub reflection;
};

Client::Client(const std::string& socket) {
  grpc::ChannelArguments arguments;
  // Otherwise connections of one process to one address would be shared.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  stubs_ = std::make_unique<Stubs>(
      grpc::CreateCustomChannel("unix:" + socket, grpc::InsecureChannelCredentials(), arguments));
}

Client::~Client() = default;

Answer<proto::CreateLVResponse> Client::create(const proto::CreateLVRequest& request,
                                               std::chrono::milliseconds limit) {
  return call(stubs_->lv, &proto::LVService::Stub::CreateLV, request, limit);
}

Answer<proto::Empty> Client::remove(const proto::RemoveLVRequest& request,
                                    std::chrono::milliseconds limit) {
  return call(stubs_->lv, &proto::LVService::Stub::RemoveLV, request, limit);
}

Answer<proto::ResizeLVResponse> Client::resize(const proto::ResizeLVRequest& request,
                                               std::chrono::milliseconds limit) {
  return call(stubs_->lv, &proto::LVService::Stub::ResizeLV, request, limit);
}

Answer<proto::CreateLVSnapshotResponse> Client::snapshot(
    const proto::CreateLVSnapshotRequest& request, std::chrono::milliseconds limit) {
  return call(stubs_->lv, &proto::LVService::Stub::CreateLVSnapshot, request, limit);
}

Answer<proto::GetLVListResponse> Client::list(const std::string& device_class,
                                              std::chrono::milliseconds limit) {
  proto::GetLVListRequest request;
  request.set_device_class(device_class);
  return call(stubs_->vg, &proto::VGService::Stub::GetLVList, request, limit);
}

Answer<proto::GetFreeBytesResponse> Client::free_bytes(const std::string& device_class,
                                                       std::chrono::milliseconds limit) {
  proto::GetFreeBytesRequest request;
  request.set_device_class(device_class);
  return call(stubs_->vg, &proto::VGService::Stub::GetFreeBytes, request, limit);
}

std::unique_ptr<Stream<proto::WatchResponse>> Client::watch() {
  return std::make_unique<ReadStream<proto::WatchResponse, proto::WatchResponse>>(
      [this](grpc::ClientContext* context) { return stubs_->vg.Watch(context, {}); },
      [](const proto::WatchResponse& message) { return message; });
}

std::unique_ptr<Stream<proto::WatchResponse>> Client::watch_without_reading() {
  return std::make_unique<ReadStream<proto::WatchResponse, proto::WatchResponse>>(
      [this](grpc::ClientContext* context) { return stubs_->vg.Watch(context, {}); },
      [](const proto::WatchResponse& message) { return message; }, false);
}

Answer<v1::SetOwnerResponse> Client::set_owner(const v1::SetOwnerRequest& request) {
  return call(stubs_->owners, &v1::OwnerService::Stub::SetOwner, request);
}

Answer<v1::ListVolumesResponse> Client::list_volumes() {
  return call(stubs_->owners, &v1::OwnerService::Stub::ListVolumes, v1::ListVolumesRequest{});
}

Answer<v1::Transfer> Client::start_backup(const v1::StartBackupRequest& request) {
  return call(stubs_->transfers, &v1::TransferService::Stub::StartBackup, request);
}

Answer<v1::Transfer> Client::start_restore(const v1::StartRestoreRequest& request) {
  return call(stubs_->transfers, &v1::TransferService::Stub::StartRestore, request);
}

Answer<v1::Transfer> Client::delete_backup(const v1::DeleteBackupRequest& request) {
  return call(stubs_->transfers, &v1::TransferService::Stub::DeleteBackup, request);
}

Answer<v1::Transfer> Client::start_check(const v1::StartCheckRequest& request) {
  return call(stubs_->transfers, &v1::TransferService::Stub::StartCheck, request);
}

Answer<v1::Transfer> Client::transfer(const v1::TransferName& name) {
  return call(stubs_->transfers, &v1::TransferService::Stub::Get, name);
}

Answer<v1::ListTransfersResponse> Client::transfers() {
  return call(stubs_->transfers, &v1::TransferService::Stub::List, v1::ListTransfersRequest{});
}

std::unique_ptr<Stream<v1::Transfer>> Client::watch_transfer(const v1::TransferName& name) {
  return std::make_unique<ReadStream<v1::Transfer, v1::Transfer>>(
      [this, &name](grpc::ClientContext* context) {
        return stubs_->transfers.Watch(context, name);
      },
      [](const v1::Transfer& message) { return message; });
}

Answer<v1::Transfer> Client::cancel_transfer(const v1::TransferName& name) {
  return call(stubs_->transfers, &v1::TransferService::Stub::Cancel, name);
}

Answer<Health> Client::health(const std::string& service) {
  health_v1::HealthCheckRequest request;
  request.set_service(service);
  const auto answer = call(stubs_->health, &health_v1::Health::Stub::Check, request);
  return {.code = answer.code,
          .message = answer.message,
          .response = static_cast<Health>(answer.response.status()),
          .reason = answer.reason,
          .domain = answer.domain,
          .metadata = answer.metadata};
}

std::string Client::health_reason(const std::string& service) {
  grpc::ClientContext context;
  set_limit(context, kCallLimit);
  health_v1::HealthCheckRequest request;
  request.set_service(service);
  health_v1::HealthCheckResponse response;
  // A failed call also has no reason.
  static_cast<void>(stubs_->health.Check(&context, request, &response));
  const auto& trailer = context.GetServerTrailingMetadata();
  const auto found = trailer.find("lvmd-reason");
  return found == trailer.end() ? std::string{}
                                : std::string{found->second.data(), found->second.size()};
}

std::unique_ptr<Stream<Health>> Client::watch_health(const std::string& service) {
  health_v1::HealthCheckRequest request;
  request.set_service(service);
  return std::make_unique<ReadStream<health_v1::HealthCheckResponse, Health>>(
      [this, &request](grpc::ClientContext* context) {
        return stubs_->health.Watch(context, request);
      },
      [](const health_v1::HealthCheckResponse& message) {
        return static_cast<Health>(message.status());
      });
}

Answer<v1::MountResponse> Client::mount(const v1::MountRequest& request,
                                        std::chrono::milliseconds limit) {
  return call(stubs_->mount, &v1::MountService::Stub::Mount, request, limit);
}

Answer<v1::UnmountResponse> Client::unmount(const v1::UnmountRequest& request) {
  return call(stubs_->mount, &v1::MountService::Stub::Unmount, request);
}

Answer<v1::ListMountsResponse> Client::list_mounts() {
  return call(stubs_->mount, &v1::MountService::Stub::ListMounts, v1::ListMountsRequest{});
}

Answer<v1::GrowFileSystemResponse> Client::grow_file_system(
    const v1::GrowFileSystemRequest& request, std::chrono::milliseconds limit) {
  return call(stubs_->mount, &v1::MountService::Stub::GrowFileSystem, request, limit);
}

Answer<v1::GetUsageResponse> Client::usage(const v1::GetUsageRequest& request,
                                           std::chrono::milliseconds limit) {
  return call(stubs_->mount, &v1::MountService::Stub::GetUsage, request, limit);
}

std::unique_ptr<Stream<v1::VolumesInUse>> Client::watch_mounts() {
  return std::make_unique<ReadStream<v1::VolumesInUse, v1::VolumesInUse>>(
      [this](grpc::ClientContext* context) { return stubs_->mount.Watch(context, {}); },
      [](const v1::VolumesInUse& message) { return message; });
}

Answer<std::vector<std::string>> Client::reflected_services() {
  reflection_v1::ServerReflectionRequest request;
  request.set_list_services("");
  reflection_v1::ServerReflectionResponse response;
  Answer<std::vector<std::string>> answer;
  set_status(answer, reflect(stubs_->reflection, request, response));
  for (const auto& service : response.list_services_response().service())
    answer.response.push_back(service.name());
  std::ranges::sort(answer.response);
  return answer;
}

bool Client::reflection_describes(const std::string& symbol) {
  reflection_v1::ServerReflectionRequest request;
  request.set_file_containing_symbol(symbol);
  reflection_v1::ServerReflectionResponse response;
  return reflect(stubs_->reflection, request, response).ok() &&
         response.file_descriptor_response().file_descriptor_proto_size() > 0;
}

}  // namespace lvmd::contract
