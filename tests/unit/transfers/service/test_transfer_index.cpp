#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <set>

#include "lvmd/transfers/service/transfer_index.hpp"
#include "tests/unit/transfers/service/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers;

using namespace std::chrono_literals;

namespace {

constexpr auto kLimit = 20s;

transfers::Time now() { return std::chrono::system_clock::now(); }

// Records what it gets.
class RecordingSubscriber final : public TransferIndex::Subscriber {
 public:
  void offer(std::shared_ptr<const v1::Transfer> transfer) override {
    const std::lock_guard lock{mutex_};
    messages_.push_back(*transfer);
    changed_.notify_all();
  }
  void end(const Error& reason) override {
    const std::lock_guard lock{mutex_};
    end_ = reason;
    changed_.notify_all();
  }

  // The next transfer; absent after the end.
  std::optional<v1::Transfer> next() {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, kLimit, [this] { return !messages_.empty() || end_; });
    if (messages_.empty()) return std::nullopt;
    v1::Transfer transfer = messages_.front();
    messages_.pop_front();
    return transfer;
  }
  std::optional<Error> ending() {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, kLimit, [this] { return end_.has_value(); });
    return end_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v1::Transfer> messages_;
  std::optional<Error> end_;
};

}  // namespace

TEST_CASE("a new index has the recorded transfers, by operation and id [P-XFER-3]", "[server]") {
  const RecordFolder folder;
  folder.write(sample_transfer_record(v1::PHASE_SUCCEEDED, now(), "z"));
  folder.write(sample_transfer_record(v1::PHASE_CANCELLED, now(), "a"));
  std::ofstream{folder.path() + "/backup-broken"} << "not a record";
  TransferIndex index{folder.path()};
  const auto transfers = index.list();
  REQUIRE(transfers.size() == 2);
  CHECK(transfers[0].id() == "a");
  CHECK(transfers[1].id() == "z");
  CHECK(transfers[1].volume_group() == "vg0");
  CHECK_FALSE(index.look_up({.operation = v1::OPERATION_RESTORE, .id = "z"}));
}

TEST_CASE("the index of a missing folder is empty", "[server]") {
  TransferIndex index{"/nonexistent/transfers"};
  CHECK(index.list().empty());
  CHECK_FALSE(index.look_up(kBackup));
}

TEST_CASE("a subscriber gets the current transfer, then each change of it [P-XFER-14]",
          "[server]") {
  const RecordFolder folder;
  const LockHolder mover{folder, kBackup};
  internal::TransferRecord record = sample_transfer_record(v1::PHASE_RUNNING, now());
  folder.write(record);
  TransferIndex index{folder.path()};
  RecordingSubscriber subscriber;
  index.add(kBackup, subscriber);
  auto transfer = subscriber.next();
  REQUIRE(transfer);
  CHECK(transfer->phase() == v1::PHASE_RUNNING);

  folder.write(sample_transfer_record(v1::PHASE_SUCCEEDED, now(), "another"));
  record.mutable_transfer()->mutable_progress()->set_done_bytes(17);
  folder.write(record);
  transfer = subscriber.next();
  REQUIRE(transfer);
  CHECK(transfer->id() == "b");
  CHECK(transfer->progress().done_bytes() == 17);

  record.mutable_transfer()->set_phase(v1::PHASE_SUCCEEDED);
  *record.mutable_transfer()->mutable_completion_time() = transfers::to_timestamp(now());
  folder.write(record);
  transfer = subscriber.next();
  REQUIRE(transfer);
  CHECK(transfer->phase() == v1::PHASE_SUCCEEDED);
  index.remove(subscriber);
}

TEST_CASE(
    "a transfer whose mover dies is FAILED, Interrupted; its record does not change [P-XFER-3]",
    "[server]") {
  const RecordFolder folder;
  LockHolder mover{folder, kBackup};
  folder.write(sample_transfer_record(v1::PHASE_RUNNING, now() - 1h));
  TransferIndex index{folder.path()};
  RecordingSubscriber subscriber;
  index.add(kBackup, subscriber);
  REQUIRE(subscriber.next());
  CHECK(index.running().size() == 1);
  mover.die();
  const auto transfer = subscriber.next();
  REQUIRE(transfer);
  CHECK(transfer->phase() == v1::PHASE_FAILED);
  CHECK(transfer->error().reason() == "Interrupted");
  CHECK(transfer->error().code() == "SnapshotExecutionFailed");
  CHECK(transfer->error().transient());
  CHECK(index.running().empty());
  // A second look shows the same completion time.
  const auto again = index.look_up(kBackup);
  REQUIRE(again);
  CHECK(again->transfer().completion_time().SerializeAsString() ==
        transfer->completion_time().SerializeAsString());
  CHECK(transfers::read_record(folder.path(), kBackup)->transfer().phase() == v1::PHASE_RUNNING);
  index.remove(subscriber);
}

TEST_CASE("a mover has 30 s to start, then its transfer has failed [P-XFER-3]", "[server]") {
  const RecordFolder folder;
  folder.write(sample_transfer_record(v1::PHASE_PENDING, now()));
  folder.write(sample_transfer_record(v1::PHASE_PENDING, now() - 31s, "late"));
  TransferIndex index{folder.path()};
  CHECK(index.look_up(kBackup)->transfer().phase() == v1::PHASE_PENDING);
  const auto late = index.look_up({.operation = v1::OPERATION_BACKUP, .id = "late"});
  REQUIRE(late);
  CHECK(late->transfer().phase() == v1::PHASE_FAILED);
  CHECK(index.running() == std::set{kBackup});
}

TEST_CASE("removing a record ends its subscribers, and the transfer is unknown [P-XFER-2]",
          "[server]") {
  const RecordFolder folder;
  folder.write(sample_transfer_record(v1::PHASE_PENDING, now()));
  TransferIndex index{folder.path()};
  RecordingSubscriber subscriber;
  index.add(kBackup, subscriber);
  REQUIRE(transfers::remove_record(folder.path(), kBackup));
  const auto ending = subscriber.ending();
  REQUIRE(ending);
  CHECK(ending->code == Code::kNotFound);
  CHECK_FALSE(index.look_up(kBackup));
  CHECK(index.list().empty());
}

TEST_CASE("a subscriber of an unknown transfer is ended [P-XFER-2]", "[server]") {
  const RecordFolder folder;
  TransferIndex index{folder.path()};
  RecordingSubscriber subscriber;
  index.add(kBackup, subscriber);
  const auto ending = subscriber.ending();
  REQUIRE(ending);
  CHECK(ending->code == Code::kNotFound);
  CHECK(ending->message == "there is no backup with id \"b\"");
}

TEST_CASE("a subscriber above the limit gets an error that names the limit [P-SOCK-23]",
          "[server]") {
  const RecordFolder folder;
  folder.write(sample_transfer_record(v1::PHASE_SUCCEEDED, now()));
  TransferIndex index{folder.path()};
  std::list<RecordingSubscriber> subscribers(server::kMaxSubscribers);
  for (RecordingSubscriber& subscriber : subscribers) index.add(kBackup, subscriber);
  RecordingSubscriber late;
  index.add(kBackup, late);
  const auto refused = late.ending();
  REQUIRE(refused);
  CHECK(refused->code == Code::kResourceExhausted);
  index.remove(subscribers.front());
  RecordingSubscriber next;
  index.add(kBackup, next);
  CHECK(next.next());
  index.end(make_error(Code::kUnavailable, "stopping"));
  REQUIRE(next.ending());
  CHECK(next.ending()->code == Code::kUnavailable);
}

namespace {

const transfers::TransferKey kRestore{.operation = v1::OPERATION_RESTORE, .id = "r"};

internal::TransferRecord restored() {
  internal::TransferRecord record = sample_transfer_record(v1::PHASE_SUCCEEDED, now(), "r");
  record.mutable_transfer()->set_operation(v1::OPERATION_RESTORE);
  return record;
}

}  // namespace

TEST_CASE("a restore has succeeded when its remaining work is done [P-XFER-23]", "[server]") {
  const RecordFolder folder;
  folder.write(sample_transfer_record(v1::PHASE_SUCCEEDED, now()));
  std::mutex mutex;
  bool done = false;
  int tries = 0;
  // The index calls both on its own threads, where Catch2's macros must not be used.
  std::set<std::string> ids;
  TransferIndex index{folder.path(),
                      {.is_done =
                           [&](const v1::Transfer& restore) {
                             const std::lock_guard lock{mutex};
                             ids.insert(restore.id());
                             return done;
                           },
                       .carry_out =
                           [&](const v1::Transfer& restore, const std::function<void()>& ended) {
                             {
                               const std::lock_guard lock{mutex};
                               ids.insert(restore.id());
                               done = ++tries == 2;
                             }
                             ended();
                           }}};
  // A backup has no remaining work.
  CHECK(index.look_up(kBackup)->transfer().phase() == v1::PHASE_SUCCEEDED);
  folder.write(restored());
  RecordingSubscriber subscriber;
  index.add(kRestore, subscriber);
  auto transfer = subscriber.next();
  REQUIRE(transfer);
  CHECK(transfer->phase() == v1::PHASE_RUNNING);
  CHECK(is_completing(*transfer));
  CHECK_FALSE(transfer->has_completion_time());
  // The restore's mover has ended.
  CHECK(index.running().empty());
  transfer = subscriber.next();
  REQUIRE(transfer);
  CHECK(transfer->phase() == v1::PHASE_SUCCEEDED);
  CHECK_FALSE(is_completing(*transfer));
  index.remove(subscriber);
  const std::lock_guard lock{mutex};
  CHECK(tries == 2);
  CHECK(ids == std::set<std::string>{"r"});
}

TEST_CASE(
    "a restore that is known to be complete stays complete; a new attempt starts incomplete "
    "[P-XFER-23]",
    "[server]") {
  const RecordFolder folder;
  folder.write(restored());
  std::atomic<bool> done = true;
  TransferIndex index{folder.path(),
                      {.is_done = [&](const v1::Transfer&) { return done.load(); },
                       .carry_out = [](const v1::Transfer&, const auto& ended) { ended(); }}};
  CHECK(index.look_up(kRestore)->transfer().phase() == v1::PHASE_SUCCEEDED);
  done = false;
  CHECK(index.look_up(kRestore)->transfer().phase() == v1::PHASE_SUCCEEDED);
  CHECK(index.list()[0].phase() == v1::PHASE_SUCCEEDED);
  auto second = restored();
  second.mutable_transfer()->set_attempt(2);
  folder.write(second);
  CHECK(is_completing(index.look_up(kRestore)->transfer()));
  done = true;
  CHECK(index.list()[0].phase() == v1::PHASE_SUCCEEDED);
}
