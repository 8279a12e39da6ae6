#include "tests/torture/calls.hpp"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <array>
#include <chrono>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "health.grpc.pb.h"
#include "lvmd.grpc.pb.h"

namespace lvmd::torture {
namespace {

namespace health_v1 = ::grpc::health::v1;
using nlohmann::json;

constexpr int kReadDeadlineMs = 30'000;
constexpr int kHealthDeadlineMs = 3'000;
constexpr int kLongestPauseMs = 500;
// gRPC gives up a connection after the "minimum pause". In an emulated VM dozens at once take
// seconds to be set up, and callers who give up earlier never get one.
constexpr int kConnectMs = 5000;

constexpr std::array kCodes{
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

Outcome outcome_of(const grpc::Status& status) {
  Outcome outcome;
  const auto code = static_cast<std::size_t>(status.error_code());
  outcome.code = code < kCodes.size() ? kCodes[code] : "?";
  outcome.message = status.error_message();
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  if (!status.error_details().empty() && details.ParseFromString(status.error_details()) &&
      details.details_size() == 1 && details.details(0).UnpackTo(&info))
    outcome.reason = info.reason();
  return outcome;
}

void set_deadline(grpc::ClientContext& context, int milliseconds) {
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds{milliseconds});
}

std::shared_ptr<grpc::Channel> connect(const std::string& socket) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLongestPauseMs);
  return grpc::CreateCustomChannel("unix:" + socket, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

bool Outcome::is_final() const {
  // The class is not in lvmd.yaml at this moment: nothing is said about the volume.
  if (reason == "UNKNOWN_DEVICE_CLASS" || reason == "UNKNOWN_OPTION_CLASS") return false;
  return code == "OK" || code == "INVALID_ARGUMENT" || code == "NOT_FOUND" ||
         code == "ALREADY_EXISTS" || code == "RESOURCE_EXHAUSTED" || code == "OUT_OF_RANGE" ||
         code == "UNIMPLEMENTED" || reason == "VOLUME_NEEDED" || reason == "NOT_OF_CLASS";
}

struct Connection::Stubs {
  explicit Stubs(const std::shared_ptr<grpc::Channel>& channel)
      : volumes(channel), groups(channel), health(channel) {}

  proto::LVService::Stub volumes;
  proto::VGService::Stub groups;
  health_v1::Health::Stub health;
};

Connection::Connection(const std::string& socket)
    : stubs_(std::make_unique<Stubs>(connect(socket))) {}
Connection::~Connection() = default;

Outcome Connection::call(const Operation& operation) {
  grpc::ClientContext context;
  set_deadline(context, operation.deadline_ms);
  if (operation.verb == "create") {
    proto::CreateLVRequest request;
    request.set_name(operation.name);
    request.set_device_class(operation.device_class);
    request.set_size_bytes(operation.size);
    for (const std::string& tag : operation.tags) request.add_tags(tag);
    proto::CreateLVResponse response;
    Outcome outcome = outcome_of(stubs_->volumes.CreateLV(&context, request, &response));
    outcome.told["size"] = response.volume().size_bytes();
    return outcome;
  }
  if (operation.verb == "snapshot") {
    proto::CreateLVSnapshotRequest request;
    request.set_name(operation.name);
    request.set_device_class(operation.device_class);
    request.set_source_volume(operation.source);
    request.set_access_type(operation.access);
    request.set_size_bytes(operation.size);
    for (const std::string& tag : operation.tags) request.add_tags(tag);
    proto::CreateLVSnapshotResponse response;
    Outcome outcome = outcome_of(stubs_->volumes.CreateLVSnapshot(&context, request, &response));
    outcome.told["size"] = response.snapshot().size_bytes();
    return outcome;
  }
  if (operation.verb == "resize") {
    proto::ResizeLVRequest request;
    request.set_name(operation.name);
    request.set_device_class(operation.device_class);
    request.set_size_bytes(operation.size);
    proto::ResizeLVResponse response;
    Outcome outcome = outcome_of(stubs_->volumes.ResizeLV(&context, request, &response));
    outcome.told["size"] = response.size_bytes();
    return outcome;
  }
  if (operation.verb == "remove") {
    proto::RemoveLVRequest request;
    request.set_name(operation.name);
    request.set_device_class(operation.device_class);
    proto::Empty response;
    return outcome_of(stubs_->volumes.RemoveLV(&context, request, &response));
  }
  proto::GetLVListRequest request;
  request.set_device_class(operation.device_class);
  proto::GetLVListResponse response;
  Outcome outcome = outcome_of(stubs_->groups.GetLVList(&context, request, &response));
  json volumes = json::object();
  for (const proto::LogicalVolume& volume : response.volumes())
    volumes[volume.name()] = {
        {"size", volume.size_bytes()},
        {"device", std::to_string(volume.dev_major()) + ":" + std::to_string(volume.dev_minor())},
        {"attr", volume.attr()},
        {"tags", json(std::vector<std::string>(volume.tags().begin(), volume.tags().end()))}};
  outcome.told["volumes"] = std::move(volumes);
  return outcome;
}

Outcome Connection::free_bytes(const std::string& device_class) {
  grpc::ClientContext context;
  set_deadline(context, kReadDeadlineMs);
  proto::GetFreeBytesRequest request;
  request.set_device_class(device_class);
  proto::GetFreeBytesResponse response;
  Outcome outcome = outcome_of(stubs_->groups.GetFreeBytes(&context, request, &response));
  outcome.told["free"] = response.free_bytes();
  return outcome;
}

std::pair<std::string, std::string> Connection::health(const std::string& group) {
  grpc::ClientContext context;
  set_deadline(context, kHealthDeadlineMs);
  health_v1::HealthCheckRequest request;
  request.set_service("vg/" + group);
  health_v1::HealthCheckResponse response;
  const grpc::Status status = stubs_->health.Check(&context, request, &response);
  if (!status.ok()) return {outcome_of(status).code, status.error_message()};
  const auto& trailing = context.GetServerTrailingMetadata();
  const auto reason = trailing.find("lvmd-reason");
  return {health_v1::HealthCheckResponse::ServingStatus_Name(response.status()),
          reason == trailing.end() ? std::string{}
                                   : std::string{reason->second.data(), reason->second.size()}};
}

}  // namespace lvmd::torture
