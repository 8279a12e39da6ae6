// A TransferService and a SnapshotCatalog in memory.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reconciler/lvmd_client/transfer_service.hpp"
#include "reconciler/model/snapshot_catalog.hpp"

namespace lvmd::reconciler::test {

class FakeTransfers : public TransferService {
 public:
  std::vector<std::string> calls;
  // The transfers in lvmd, by operation and id.
  std::map<std::pair<Operation, std::string>, Transfer> known;
  // The result of every call while it is set.
  std::optional<Error> error;
  // The result of every Start while it is set.
  std::optional<Error> refusal;
  // The results of check(), one each.
  std::deque<Result<Transfer>> checks;
  // The arguments of the last Start.
  RepositoryAccess used;
  std::string used_backup;
  std::string used_snapshot;

  Transfer& of(Operation operation, const std::string& id) { return known[{operation, id}]; }

  void end(Operation operation, const std::string& id, TransferPhase phase) {
    const std::lock_guard lock{mutex};
    Transfer& transfer = of(operation, id);
    transfer.phase = phase;
    if (phase == TransferPhase::kSucceeded) transfer.snapshot_id = "4bba301e";
    if (phase == TransferPhase::kFailed)
      transfer.error = TransferError{
          .code = "SnapshotExecutionFailed", .message = "no route", .transient = true};
    changed.notify_all();
  }

  Result<Transfer> start(Operation operation, const TransferRequest& request) override {
    static const std::map<Operation, std::string> kCalls{{Operation::kBackup, "backup"},
                                                         {Operation::kRestore, "restore"},
                                                         {Operation::kDelete, "delete"}};
    calls.push_back(kCalls.at(operation) + " " + request.id + " at " + request.repository.location);
    used = request.repository;
    used_backup = request.backup_id;
    used_snapshot = request.snapshot_id;
    if (error) return std::unexpected(*error);
    if (refusal) return std::unexpected(*refusal);
    Transfer& transfer = of(operation, request.id);
    const bool begins = transfer.phase != TransferPhase::kSucceeded;
    if (begins) transfer = {.phase = TransferPhase::kRunning, .step = "mounting"};
    return transfer;
  }
  Result<Transfer> check(const std::string& id, const RepositoryAccess& repository) override {
    calls.push_back("check " + id + " at " + repository.location);
    used = repository;
    if (checks.empty()) return fail(Code::kUnavailable, "no more answers");
    Result<Transfer> answer = std::move(checks.front());
    checks.pop_front();
    return answer;
  }
  Result<Transfer> get(const TransferName& name) override {
    calls.push_back("get " + name.id);
    return find(name);
  }
  Result<Transfer> cancel(const TransferName& name) override {
    calls.push_back("cancel " + name.id);
    auto found = find(name);
    if (found && !has_ended(*found)) of(name.operation, name.id).phase = TransferPhase::kCancelled;
    return find(name);
  }
  Status watch(const TransferName& name, const Callback& callback) override {
    std::unique_lock lock{mutex};
    const auto is_over = [&] { return stopped || has_ended(of(name.operation, name.id)); };
    changed.wait(lock, is_over);
    callback(of(name.operation, name.id));
    return {};
  }
  void stop() override {
    const std::lock_guard lock{mutex};
    stopped = true;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  bool stopped = false;

 private:
  Result<Transfer> find(const TransferName& name) {
    if (error) return std::unexpected(*error);
    const auto found = known.find({name.operation, name.id});
    if (found == known.end()) return fail(Code::kNotFound, "no transfer {}", name.id);
    return found->second;
  }
};

class FakeCatalog : public SnapshotCatalog {
 public:
  // By spec.name.
  std::map<std::string, SnapshotClass> classes;
  std::map<std::string, PersistentVolume> volumes;
  std::optional<LocationSettings> storage;
  // The result of every call while it is set.
  std::optional<Error> error;
  std::vector<std::string> calls;

  Result<std::optional<SnapshotClass>> find_class(const LogicalVolume& snapshot) override {
    calls.push_back("class " + snapshot.spec.name);
    if (error) return std::unexpected(*error);
    const auto found = classes.find(snapshot.spec.name);
    if (found == classes.end()) return std::nullopt;
    return found->second;
  }
  Result<std::optional<PersistentVolume>> find_persistent_volume(const std::string& name) override {
    calls.push_back("volume " + name);
    if (error) return std::unexpected(*error);
    const auto found = volumes.find(name);
    if (found == volumes.end()) return std::nullopt;
    return found->second;
  }
  Result<LocationSettings> open_location(const LogicalVolume& /*volume*/,
                                         const LocationName& name) override {
    calls.push_back("storage " + name.namespace_name + "/" + name.name);
    if (error) return std::unexpected(*error);
    if (!storage) return fail(Code::kUnavailable, "no storage").because("NO_STORAGE");
    return *storage;
  }
  void stop() override {}
};

}  // namespace lvmd::reconciler::test
