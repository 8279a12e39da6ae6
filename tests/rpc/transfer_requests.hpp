// Requests of TransferService about the volumes of a TransferStage.
#pragma once

#include <string>

#include "lvmd/transfers/record/record_name.hpp"
#include "lvmd/v1/transfer.pb.h"

namespace lvmd::rpc {

inline constexpr const char* kSecret = "a-secret-that-is-nowhere";

inline v1::StartBackupRequest backup_request(const std::string& id = "b",
                                             const std::string& name = "snap") {
  v1::StartBackupRequest request;
  request.set_id(id);
  request.set_name(name);
  request.set_device_class("thin");
  request.mutable_repository()->set_location("s3:https://storage.example/bucket");
  request.mutable_credentials()->set_password(kSecret);
  request.mutable_credentials()->set_access_key_id("key");
  request.mutable_credentials()->set_secret_access_key(kSecret);
  return request;
}

inline v1::StartRestoreRequest restore_request(const std::string& id = "r",
                                               const std::string& name = "source") {
  v1::StartRestoreRequest request;
  request.set_id(id);
  request.set_name(name);
  request.set_device_class("thin");
  request.mutable_repository()->set_location("/srv/repositories/a");
  request.mutable_credentials()->set_password(kSecret);
  request.set_backup_id("b");
  return request;
}

inline v1::DeleteBackupRequest delete_request(const std::string& id = "d") {
  v1::DeleteBackupRequest request;
  request.set_id(id);
  request.mutable_repository()->set_location("/srv/repositories/a");
  request.mutable_credentials()->set_password(kSecret);
  request.set_backup_id("b");
  return request;
}

inline v1::StartCheckRequest check_request(const std::string& id = "c") {
  v1::StartCheckRequest request;
  request.set_id(id);
  request.mutable_repository()->set_location("/srv/repositories/a");
  request.mutable_credentials()->set_password(kSecret);
  return request;
}

inline v1::TransferName name_of(v1::Operation operation, const std::string& id) {
  v1::TransferName name;
  name.set_operation(operation);
  name.set_id(id);
  return name;
}

inline transfers::TransferKey key_of(const v1::TransferName& name) {
  return {.operation = name.operation(), .id = name.id()};
}

inline const v1::TransferName kBackup = name_of(v1::OPERATION_BACKUP, "b");

}  // namespace lvmd::rpc
