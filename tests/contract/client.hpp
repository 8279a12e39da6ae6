// A client of lvmd for tests: one function per call, which returns a code and a message. gRPC is
// used in client.cpp only.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd.pb.h"
#include "lvmd/base/error.hpp"
#include "lvmd/v1/mount.pb.h"
#include "lvmd/v1/owner.pb.h"
#include "lvmd/v1/transfer.pb.h"

namespace lvmd::contract {

// The time limit of a test's call; LVM under emulation needs seconds.
inline constexpr std::chrono::seconds kCallLimit{60};

// The result of a call without its response. A failed assertion prints it.
struct Outcome {
  Code code = Code::kUnknown;
  std::string message;

  operator bool() const { return code == Code::kOk; }
};
std::ostream& operator<<(std::ostream& out, const Outcome& outcome);

template <typename Response>
struct Answer {
  Code code = Code::kUnknown;
  std::string message;
  Response response;
  // The fields of google.rpc.ErrorInfo; empty after success or without details.
  std::string reason{};
  std::string domain{};
  std::map<std::string, std::string> metadata{};

  [[nodiscard]] Outcome ok() const { return {.code = code, .message = message}; }
  [[nodiscard]] bool says(std::string_view part) const {
    return message.find(part) != std::string::npos;
  }
};

// A server stream.
template <typename Message>
class Stream {
 public:
  virtual ~Stream() = default;  // cancels the stream
  // The next message; nullopt when none arrived in time, or the stream has ended.
  [[nodiscard]] virtual std::optional<Message> next(std::chrono::milliseconds limit) = 0;
  // The stream's status; nullopt when it has not ended at the limit. Drops unread messages.
  [[nodiscard]] virtual std::optional<Answer<proto::Empty>> end(
      std::chrono::milliseconds limit) = 0;
  // Starts reading a stream that was opened without reading.
  virtual void start_reading() = 0;
};

// Values of grpc.health.v1.HealthCheckResponse.
enum class Health : std::uint8_t { kUnknown, kServing, kNotServing, kServiceUnknown };

class Client {
 public:
  // Connects with the first call.
  explicit Client(const std::string& socket);
  ~Client();

  Answer<proto::CreateLVResponse> create(const proto::CreateLVRequest& request,
                                         std::chrono::milliseconds limit = kCallLimit);
  Answer<proto::Empty> remove(const proto::RemoveLVRequest& request,
                              std::chrono::milliseconds limit = kCallLimit);
  Answer<proto::ResizeLVResponse> resize(const proto::ResizeLVRequest& request,
                                         std::chrono::milliseconds limit = kCallLimit);
  Answer<proto::CreateLVSnapshotResponse> snapshot(const proto::CreateLVSnapshotRequest& request,
                                                   std::chrono::milliseconds limit = kCallLimit);
  Answer<proto::GetLVListResponse> list(const std::string& device_class,
                                        std::chrono::milliseconds limit = kCallLimit);
  Answer<proto::GetFreeBytesResponse> free_bytes(const std::string& device_class,
                                                 std::chrono::milliseconds limit = kCallLimit);
  std::unique_ptr<Stream<proto::WatchResponse>> watch();
  // Does not read messages until start_reading().
  std::unique_ptr<Stream<proto::WatchResponse>> watch_without_reading();
  Answer<v1::SetOwnerResponse> set_owner(const v1::SetOwnerRequest& request);
  Answer<v1::ListVolumesResponse> list_volumes();
  Answer<v1::Transfer> start_backup(const v1::StartBackupRequest& request);
  Answer<v1::Transfer> start_restore(const v1::StartRestoreRequest& request);
  Answer<v1::Transfer> delete_backup(const v1::DeleteBackupRequest& request);
  Answer<v1::Transfer> start_check(const v1::StartCheckRequest& request);
  Answer<v1::Transfer> transfer(const v1::TransferName& name);
  Answer<v1::ListTransfersResponse> transfers();
  std::unique_ptr<Stream<v1::Transfer>> watch_transfer(const v1::TransferName& name);
  Answer<v1::Transfer> cancel_transfer(const v1::TransferName& name);
  Answer<Health> health(const std::string& service);
  // Check's reason, in the trailing metadata "lvmd-reason".
  std::string health_reason(const std::string& service);
  std::unique_ptr<Stream<Health>> watch_health(const std::string& service);
  Answer<v1::MountResponse> mount(const v1::MountRequest& request,
                                  std::chrono::milliseconds limit = kCallLimit);
  Answer<v1::UnmountResponse> unmount(const v1::UnmountRequest& request);
  Answer<v1::ListMountsResponse> list_mounts();
  Answer<v1::GrowFileSystemResponse> grow_file_system(const v1::GrowFileSystemRequest& request,
                                                      std::chrono::milliseconds limit = kCallLimit);
  Answer<v1::GetUsageResponse> usage(const v1::GetUsageRequest& request,
                                     std::chrono::milliseconds limit = kCallLimit);
  std::unique_ptr<Stream<v1::VolumesInUse>> watch_mounts();
  // The services that reflection lists, sorted; and whether it has a description of this symbol.
  Answer<std::vector<std::string>> reflected_services();
  bool reflection_describes(const std::string& symbol);

 private:
  struct Stubs;
  std::unique_ptr<Stubs> stubs_;
};

}  // namespace lvmd::contract
