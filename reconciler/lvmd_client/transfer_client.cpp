#include <chrono>
#include <optional>
#include <utility>

#include "lvmd/v1/transfer.grpc.pb.h"
#include "reconciler/lvmd_client/connection.hpp"
#include "reconciler/lvmd_client/lvmd_client.hpp"

namespace lvmd::reconciler {
namespace {

v1::Operation to_proto(Operation operation) {
  switch (operation) {
    case Operation::kBackup:
      return v1::OPERATION_BACKUP;
    case Operation::kRestore:
      return v1::OPERATION_RESTORE;
    case Operation::kDelete:
      return v1::OPERATION_DELETE;
  }
  return v1::OPERATION_UNSPECIFIED;
}

v1::Mode to_proto(CopyMode mode) {
  switch (mode) {
    case CopyMode::kAuto:
      return v1::MODE_AUTO;
    case CopyMode::kFiles:
      return v1::MODE_FILES;
    case CopyMode::kBlocks:
      return v1::MODE_BLOCKS;
  }
  return v1::MODE_AUTO;
}

v1::TransferName to_proto(const TransferName& name) {
  v1::TransferName proto;
  proto.set_operation(to_proto(name.operation));
  proto.set_id(name.id);
  return proto;
}

// A phase that only a newer lvmd has is one of a running transfer.
TransferPhase phase_from(v1::Phase phase) {
  if (phase == v1::PHASE_PENDING) return TransferPhase::kPending;
  if (phase == v1::PHASE_SUCCEEDED) return TransferPhase::kSucceeded;
  if (phase == v1::PHASE_FAILED) return TransferPhase::kFailed;
  if (phase == v1::PHASE_CANCELLED) return TransferPhase::kCancelled;
  return TransferPhase::kRunning;
}

std::chrono::system_clock::time_point time_from(const google::protobuf::Timestamp& time) {
  return std::chrono::system_clock::time_point{std::chrono::seconds{time.seconds()}};
}

Transfer transfer_from(const v1::Transfer& proto) {
  Transfer transfer{.phase = phase_from(proto.phase()),
                    .step = proto.step(),
                    .progress = {.total_bytes = proto.progress().total_bytes(),
                                 .done_bytes = proto.progress().done_bytes()},
                    .snapshot_id = proto.snapshot_id()};
  if (proto.has_error())
    transfer.error = TransferError{.code = proto.error().code(),
                                   .reason = proto.error().reason(),
                                   .message = proto.error().message(),
                                   .transient = proto.error().transient()};
  if (proto.has_start_time()) transfer.start_time = time_from(proto.start_time());
  if (proto.has_completion_time()) transfer.completion_time = time_from(proto.completion_time());
  return transfer;
}

template <typename Request>
void set_repository(Request& message, const RepositoryAccess& access) {
  v1::Repository& repository = *message.mutable_repository();
  repository.set_location(access.location);
  repository.set_ca_certificates(access.settings.ca_certificates);
  for (const auto& [name, value] : access.settings.options)
    (*repository.mutable_options())[name] = value;
  const Credentials& given = access.settings.credentials;
  v1::Credentials& credentials = *message.mutable_credentials();
  credentials.set_password(given.password);
  credentials.set_access_key_id(given.access_key_id);
  credentials.set_secret_access_key(given.secret_access_key);
  credentials.set_session_token(given.session_token);
  credentials.set_rest_user(given.rest_user);
  credentials.set_rest_password(given.rest_password);
  message.set_deadline_seconds(access.settings.deadline_seconds);
}

class TransferClient final : public TransferService {
 public:
  TransferClient(const std::string& socket_path, std::chrono::milliseconds limit)
      : lvmd_(socket_path, limit), transfers_(lvmd_.stub<v1::TransferService>()) {}

  Result<Transfer> start(Operation operation, const TransferRequest& request) override {
    switch (operation) {
      case Operation::kBackup:
        return start_backup(request);
      case Operation::kRestore:
        return start_restore(request);
      case Operation::kDelete:
        return delete_backup(request);
    }
    return fail(Code::kInternal, "no such operation");
  }

  Result<Transfer> check(const std::string& id, const RepositoryAccess& repository) override {
    v1::StartCheckRequest message;
    message.set_id(id);
    set_repository(message, repository);
    auto last = call(&Stub::StartCheck, message);
    if (!last || has_ended(*last)) return last;
    v1::TransferName name;
    name.set_operation(v1::OPERATION_CHECK);
    name.set_id(id);
    const Status watched = follow(name, [&last](const Transfer& state) { last = state; });
    if (!watched) return std::unexpected(watched.error());
    if (!has_ended(*last)) return fail(Code::kUnavailable, "lvmd no longer reports check {}", id);
    return last;
  }

  Result<Transfer> get(const TransferName& name) override {
    return call(&Stub::Get, to_proto(name));
  }

  Result<Transfer> cancel(const TransferName& name) override {
    return call(&Stub::Cancel, to_proto(name));
  }

  Status watch(const TransferName& name, const Callback& callback) override {
    return follow(to_proto(name), callback);
  }

  void stop() override { lvmd_.cancel_all(); }

 private:
  using Stub = v1::TransferService::Stub;

  Result<Transfer> start_backup(const TransferRequest& request) {
    auto message = request_about<v1::StartBackupRequest>(request.volume);
    message.set_id(request.id);
    set_repository(message, request.repository);
    message.set_mode(to_proto(request.repository.settings.mode));
    message.set_verify(request.repository.settings.verify);
    return call(&Stub::StartBackup, message);
  }

  Result<Transfer> start_restore(const TransferRequest& request) {
    auto message = request_about<v1::StartRestoreRequest>(request.volume);
    message.set_id(request.id);
    set_repository(message, request.repository);
    message.set_snapshot_id(request.snapshot_id);
    message.set_backup_id(request.backup_id);
    return call(&Stub::StartRestore, message);
  }

  Result<Transfer> delete_backup(const TransferRequest& request) {
    v1::DeleteBackupRequest message;
    message.set_id(request.id);
    set_repository(message, request.repository);
    message.set_backup_id(request.backup_id);
    return call(&Stub::DeleteBackup, message);
  }

  Status follow(const v1::TransferName& name, const Callback& callback) {
    return lvmd_.follow([&](grpc::ClientContext& context) {
      const auto stream = transfers_->Watch(&context, name);
      for (v1::Transfer state; stream->Read(&state);) callback(transfer_from(state));
      return stream->Finish();
    });
  }

  template <typename Method, typename Request>
  Result<Transfer> call(Method method, const Request& request) {
    const auto transfer = lvmd_.call(*transfers_, method, request);
    if (!transfer) return std::unexpected(transfer.error());
    return transfer_from(*transfer);
  }

  Connection lvmd_;
  std::unique_ptr<Stub> transfers_;
};

}  // namespace

std::unique_ptr<TransferService> make_transfer_client(const std::string& socket_path,
                                                      std::chrono::milliseconds limit) {
  return std::make_unique<TransferClient>(socket_path, limit);
}

}  // namespace lvmd::reconciler
