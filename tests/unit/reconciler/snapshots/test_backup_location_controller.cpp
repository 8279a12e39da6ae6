// Storages are claimed, checked and told of.
#include <catch2/catch.hpp>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "reconciler/snapshots/backup_location_controller.hpp"
#include "tests/unit/reconciler/snapshots/fake_transfers.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

namespace {

double none() { return 0; }

// Versions count the writes.
class FakeStorages : public BackupLocationStore {
 public:
  struct Write {
    std::string name;
    BackupLocationStatus status;
  };

  explicit FakeStorages(const std::vector<std::string>& names) {
    for (const std::string& name : names)
      objects_[name] = {.name = {.namespace_name = "lvmd-snapshots", .name = name},
                        .uid = "uid-" + name,
                        .resource_version = "1",
                        .generation = 4};
  }

  void start(Changed changed) override {
    changed_ = std::move(changed);
    changed_();
  }
  void stop() override {}
  const std::string& node() const override { return node_; }
  std::vector<BackupLocation> backup_locations() const override {
    const std::lock_guard lock{mutex_};
    std::vector<BackupLocation> all;
    all.reserve(objects_.size());
    for (const auto& [name, object] : objects_) all.push_back(object);
    return all;
  }
  Result<BackupLocation> write_status(const BackupLocation& storage,
                                      const BackupLocationStatus& status) override {
    BackupLocation written;
    {
      const std::lock_guard lock{mutex_};
      BackupLocation& object = objects_.at(storage.name.name);
      if (storage.name.name == rivalled_) {
        // Somebody was faster.
        rivalled_.clear();
        object.status = status;
        object.status->node = "n2";
        object.resource_version += "r";
      }
      if (storage.resource_version != object.resource_version)
        return fail(Code::kAborted, "it has been changed");
      object.status = status;
      object.resource_version += "w";
      history_.push_back({storage.name.name, status});
      written = object;
      told_.notify_all();
    }
    changed_();
    return written;
  }

  // Another node's claim of that one comes before ours.
  void expect_rival(const std::string& name) { rivalled_ = name; }

  // Once so many have been written.
  std::vector<Write> history(std::size_t count) {
    std::unique_lock lock{mutex_};
    told_.wait(lock, [&] { return history_.size() >= count; });
    return history_;
  }

 private:
  const std::string node_ = "n1";
  Changed changed_;
  mutable std::mutex mutex_;
  std::condition_variable told_;
  std::map<std::string, BackupLocation> objects_;
  std::string rivalled_;
  std::vector<Write> history_;
};

struct World {
  FakeStorages backup_locations;
  FakeCatalog catalog;
  FakeTransfers transfers;

  explicit World(const std::vector<std::string>& names = {"minio"}) : backup_locations(names) {
    catalog.storage =
        LocationSettings{.location = "s3:https://minio/bucket", .credentials = {.password = "p"}};
  }

  // What is written until there are so many.
  std::vector<FakeStorages::Write> keep(std::size_t count) {
    BackupLocationController keeper{backup_locations, catalog, transfers, &none};
    auto history = backup_locations.history(count);
    catalog.stop();
    transfers.stop();
    keeper.stop();
    return history;
  }
};

}  // namespace

TEST_CASE("a new backup location is claimed, checked, and Ready [R-STORE-2, R-STORE-3]",
          "[reconciler][storage]") {
  World world;
  world.transfers.checks.emplace_back(Transfer{.phase = TransferPhase::kSucceeded});
  const auto history = world.keep(2);
  REQUIRE(history.size() == 2);
  CHECK(history[0].status.phase == BackupLocationPhase::kPending);
  CHECK(history[1].status.phase == BackupLocationPhase::kReady);
  for (const auto& [name, status] : history) {
    CHECK(status.node == "n1");
    CHECK(status.observed_generation == 4);
    CHECK(status.last_checked.size() == 20);
  }
  CHECK(world.catalog.calls == std::vector<std::string>{"storage lvmd-snapshots/minio"});
  CHECK(world.transfers.calls ==
        std::vector<std::string>{"check uid-minio at s3:https://minio/bucket/.lvmd-check"});
  CHECK(world.transfers.used.settings.credentials.password == "p");
  CHECK(world.transfers.used.settings.deadline_seconds == 300);
}

TEST_CASE("an unusable backup location is Error, with the cause [R-STORE-3]",
          "[reconciler][storage]") {
  World world;
  SECTION("lvmd has found that") {
    world.transfers.checks.emplace_back(
        Transfer{.phase = TransferPhase::kFailed,
                 .error = TransferError{.code = "CheckExecutionFailed", .message = "no secret"}});
  }
  SECTION("there is no secret") {
    world.catalog.error = make_error(Code::kFailedPrecondition, "no secret");
  }
  const auto history = world.keep(2);
  REQUIRE(history.size() == 2);
  CHECK(history[1].status.phase == BackupLocationPhase::kError);
  CHECK(history[1].status.message == "no secret");
}

TEST_CASE("a backup location is checked by the node that claimed it [R-STORE-2]",
          "[reconciler][storage]") {
  World world{{"a", "b"}};
  world.backup_locations.expect_rival("a");
  world.transfers.checks.emplace_back(Transfer{.phase = TransferPhase::kSucceeded});
  const auto history = world.keep(2);
  REQUIRE(history.size() == 2);
  for (const auto& [name, status] : history) CHECK(name == "b");
  CHECK(history[1].status.phase == BackupLocationPhase::kReady);
  CHECK(world.transfers.calls.size() == 1);
}
