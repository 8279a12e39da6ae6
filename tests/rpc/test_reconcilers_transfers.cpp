// The requests of lvmd-reconciler for transfers. A TransferService of this test answers them.
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lvmd/v1/transfer.grpc.pb.h"
#include "reconciler/lvmd_client/lvmd_client.hpp"
#include "reconciler/model/reason.hpp"

using namespace lvmd;
using namespace std::chrono_literals;
using reconciler::Operation;
using reconciler::TransferPhase;

namespace {

class Transfers final : public v1::TransferService::Service {
 public:
  grpc::Status StartBackup(grpc::ServerContext* /*context*/, const v1::StartBackupRequest* request,
                           v1::Transfer* answer) override {
    backup = *request;
    answer->set_phase(v1::PHASE_PENDING);
    return grpc::Status::OK;
  }
  grpc::Status StartRestore(grpc::ServerContext* /*context*/,
                            const v1::StartRestoreRequest* request, v1::Transfer* answer) override {
    restore = *request;
    answer->set_phase(v1::PHASE_RUNNING);
    return grpc::Status::OK;
  }
  grpc::Status DeleteBackup(grpc::ServerContext* /*context*/,
                            const v1::DeleteBackupRequest* request, v1::Transfer* answer) override {
    deletion = *request;
    answer->set_phase(v1::PHASE_SUCCEEDED);
    return grpc::Status::OK;
  }
  grpc::Status StartCheck(grpc::ServerContext* /*context*/, const v1::StartCheckRequest* request,
                          v1::Transfer* answer) override {
    check = *request;
    answer->set_phase(request->id() == "uid-known" ? v1::PHASE_FAILED : v1::PHASE_PENDING);
    return grpc::Status::OK;
  }
  grpc::Status Get(grpc::ServerContext* /*context*/, const v1::TransferName* name,
                   v1::Transfer* answer) override {
    if (name->id() != "uid-s") return {grpc::StatusCode::NOT_FOUND, "no transfer " + name->id()};
    answer->set_phase(v1::PHASE_FAILED);
    answer->set_step("copying");
    answer->set_snapshot_id("4bba301e");
    answer->mutable_progress()->set_total_bytes(100);
    answer->mutable_progress()->set_done_bytes(40);
    answer->mutable_start_time()->set_seconds(1000);
    answer->mutable_completion_time()->set_seconds(1060);
    answer->mutable_error()->set_code("SnapshotExecutionFailed");
    answer->mutable_error()->set_reason("RepositoryUnreachable");
    answer->mutable_error()->set_message("no route");
    answer->mutable_error()->set_transient(true);
    return grpc::Status::OK;
  }
  grpc::Status Cancel(grpc::ServerContext* /*context*/, const v1::TransferName* name,
                      v1::Transfer* answer) override {
    cancelled = *name;
    answer->set_phase(v1::PHASE_CANCELLED);
    return grpc::Status::OK;
  }
  grpc::Status Watch(grpc::ServerContext* /*context*/, const v1::TransferName* name,
                     grpc::ServerWriter<v1::Transfer>* out) override {
    watched = *name;
    for (const auto phase : {v1::PHASE_RUNNING, v1::PHASE_SUCCEEDED}) {
      v1::Transfer state;
      state.set_phase(phase);
      out->Write(state);
    }
    return grpc::Status::OK;
  }

  v1::StartBackupRequest backup;
  v1::StartRestoreRequest restore;
  v1::DeleteBackupRequest deletion;
  v1::StartCheckRequest check;
  v1::TransferName watched;
  v1::TransferName cancelled;
};

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "lvmd-transfers-XXXXXX") {
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct World {
  Folder folder;
  std::string socket = folder.path() + "/lvmd.sock";
  Transfers transfers;
  std::unique_ptr<grpc::Server> server;
  std::unique_ptr<reconciler::TransferService> client = reconciler::make_transfer_client(socket);

  World() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("unix:" + socket, grpc::InsecureServerCredentials());
    builder.RegisterService(&transfers);
    server = builder.BuildAndStart();
  }
};

reconciler::RepositoryAccess access() {
  return {.location = "s3:https://minio/b",
          .settings = {.ca_certificates = "pem",
                       .options = {{"s3.region", "eu"}},
                       .credentials = {.password = "geheim", .access_key_id = "id"},
                       .mode = reconciler::CopyMode::kBlocks,
                       .verify = true,
                       .deadline_seconds = 60}};
}

}  // namespace

TEST_CASE("a backup is requested with all settings of the location [R-ONLINE-5, R-ONLINE-9]",
          "[rpc]") {
  World world;
  const auto begun = world.client->start(
      Operation::kBackup,
      {.id = "uid-s", .volume = {.name = "uid-s", .device_class = "thin"}, .repository = access()});
  REQUIRE(begun.has_value());
  CHECK(begun->phase == TransferPhase::kPending);
  const v1::StartBackupRequest& sent = world.transfers.backup;
  CHECK(sent.id() == "uid-s");
  CHECK(sent.name() == "uid-s");
  CHECK(sent.device_class() == "thin");
  CHECK(sent.repository().location() == "s3:https://minio/b");
  CHECK(sent.repository().ca_certificates() == "pem");
  CHECK(sent.repository().options().at("s3.region") == "eu");
  CHECK(sent.credentials().password() == "geheim");
  CHECK(sent.credentials().access_key_id() == "id");
  CHECK(sent.mode() == v1::MODE_BLOCKS);
  CHECK(sent.verify());
  CHECK(sent.deadline_seconds() == 60);
}

TEST_CASE("a restore and a deletion name the backup [R-ONLINE-3, R-ONLINE-8]", "[rpc]") {
  World world;
  CHECK(world.client
            ->start(Operation::kRestore, {.id = "uid-r",
                                          .volume = {.name = "uid-r", .device_class = ""},
                                          .repository = access(),
                                          .snapshot_id = {},
                                          .backup_id = "uid-s"})
            ->phase == TransferPhase::kRunning);
  CHECK(world.transfers.restore.backup_id() == "uid-s");
  CHECK(world.transfers.restore.name() == "uid-r");
  CHECK(
      world.client
          ->start(Operation::kDelete, {.id = "uid-s", .repository = access(), .backup_id = "uid-s"})
          ->phase == TransferPhase::kSucceeded);
  CHECK(world.transfers.deletion.backup_id() == "uid-s");
  CHECK(world.transfers.deletion.credentials().password() == "geheim");
}

TEST_CASE("every field of lvmd's transfer is read [R-ONLINE-7]", "[rpc]") {
  World world;
  const auto result = world.client->get({Operation::kBackup, "uid-s"});
  REQUIRE(result.has_value());
  CHECK(result->phase == TransferPhase::kFailed);
  CHECK(result->step == "copying");
  CHECK(result->snapshot_id == "4bba301e");
  CHECK(result->progress == reconciler::TransferProgress{.total_bytes = 100, .done_bytes = 40});
  REQUIRE((result->start_time && result->completion_time));
  CHECK(*result->completion_time - *result->start_time == 60s);
  CHECK(result->error == reconciler::TransferError{.code = "SnapshotExecutionFailed",
                                                   .reason = "RepositoryUnreachable",
                                                   .message = "no route",
                                                   .transient = true});
  const auto unknown = world.client->get({Operation::kRestore, "uid-x"});
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().code == Code::kNotFound);
}

TEST_CASE("a cancellation names operation and id [R-ONLINE-8]", "[rpc]") {
  World world;
  CHECK(world.client->cancel({Operation::kRestore, "uid-r"})->phase == TransferPhase::kCancelled);
  CHECK(world.transfers.cancelled.operation() == v1::OPERATION_RESTORE);
  CHECK(world.transfers.cancelled.id() == "uid-r");
}

TEST_CASE("a transfer is watched to its end [R-ONLINE-7]", "[rpc]") {
  World world;
  std::vector<TransferPhase> phases;
  CHECK(world.client->watch({Operation::kBackup, "uid-s"}, [&](const reconciler::Transfer& result) {
    phases.push_back(result.phase);
  }));
  CHECK(phases == std::vector<TransferPhase>{TransferPhase::kRunning, TransferPhase::kSucceeded});
}

TEST_CASE("an unused socket is reported as unreachable, and a stop ends every call [R-FAIL-9]",
          "[rpc]") {
  const auto nobody = reconciler::make_transfer_client("/nonexistent/lvmd.sock", 2s);
  const auto told = nobody->get({Operation::kBackup, "uid-s"});
  REQUIRE_FALSE(told.has_value());
  CHECK(told.error().reason == reconciler::own_reason::kLvmdUnreachable);
  World world;
  world.client->stop();
  const auto stopped = world.client->get({Operation::kBackup, "uid-s"});
  REQUIRE_FALSE(stopped.has_value());
  CHECK(stopped.error().code == Code::kCancelled);
}

TEST_CASE("a check is requested, and its end is awaited [R-STORE-3]", "[rpc]") {
  World world;
  const auto ended = world.client->check("uid-b", access());
  REQUIRE(ended.has_value());
  CHECK(ended->phase == TransferPhase::kSucceeded);
  const v1::StartCheckRequest& sent = world.transfers.check;
  CHECK(sent.id() == "uid-b");
  CHECK(sent.repository().location() == "s3:https://minio/b");
  CHECK(sent.repository().options().at("s3.region") == "eu");
  CHECK(sent.credentials().password() == "geheim");
  CHECK(sent.deadline_seconds() == 60);
  CHECK(world.transfers.watched.operation() == v1::OPERATION_CHECK);
  CHECK(world.transfers.watched.id() == "uid-b");
  world.transfers.watched.Clear();
  CHECK(world.client->check("uid-known", access())->phase == TransferPhase::kFailed);
  CHECK(world.transfers.watched.id().empty());
}
