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

// Keeps what it hears.
class Ear final : public TransferIndex::Subscriber {
 public:
  void offer(std::shared_ptr<const v1::Transfer> transfer) override {
    const std::lock_guard lock{mutex_};
    heard_.push_back(*transfer);
    changed_.notify_all();
  }
  void end(const Error& reason) override {
    const std::lock_guard lock{mutex_};
    end_ = reason;
    changed_.notify_all();
  }

  // The next one; none comes after the end.
  std::optional<v1::Transfer> next() {
    std::unique_lock lock{mutex_};
    changed_.wait_for(lock, kLimit, [this] { return !heard_.empty() || end_; });
    if (heard_.empty()) return std::nullopt;
    v1::Transfer transfer = heard_.front();
    heard_.pop_front();
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
  std::deque<v1::Transfer> heard_;
  std::optional<Error> end_;
};

}  // namespace

TEST_CASE("a new book knows what is recorded, by operation and id [P-XFER-3]", "[server]") {
  const RecordFolder folder;
  folder.write(sample_record(v1::PHASE_SUCCEEDED, now(), "z"));
  folder.write(sample_record(v1::PHASE_CANCELLED, now(), "a"));
  std::ofstream{folder.path() + "/backup-broken"} << "not a record";
  TransferIndex book{folder.path()};
  const auto transfers = book.list();
  REQUIRE(transfers.size() == 2);
  CHECK(transfers[0].id() == "a");
  CHECK(transfers[1].id() == "z");
  CHECK(transfers[1].volume_group() == "vg0");
  CHECK_FALSE(book.look_up({.operation = v1::OPERATION_RESTORE, .id = "z"}));
}

TEST_CASE("a folder that isn't there is an empty book", "[server]") {
  TransferIndex book{"/nonexistent/transfers"};
  CHECK(book.list().empty());
  CHECK_FALSE(book.look_up(kBackup));
}

TEST_CASE("listeners hear what there is, then each change of their transfer [P-XFER-14]",
          "[server]") {
  const RecordFolder folder;
  const LockHolder mover{folder, kBackup};
  internal::TransferRecord record = sample_record(v1::PHASE_RUNNING, now());
  folder.write(record);
  TransferIndex book{folder.path()};
  Ear ear;
  book.add(kBackup, ear);
  auto heard = ear.next();
  REQUIRE(heard);
  CHECK(heard->phase() == v1::PHASE_RUNNING);

  folder.write(sample_record(v1::PHASE_SUCCEEDED, now(), "another"));
  record.mutable_transfer()->mutable_progress()->set_done_bytes(17);
  folder.write(record);
  heard = ear.next();
  REQUIRE(heard);
  CHECK(heard->id() == "b");
  CHECK(heard->progress().done_bytes() == 17);

  record.mutable_transfer()->set_phase(v1::PHASE_SUCCEEDED);
  *record.mutable_transfer()->mutable_completion_time() = transfers::to_timestamp(now());
  folder.write(record);
  heard = ear.next();
  REQUIRE(heard);
  CHECK(heard->phase() == v1::PHASE_SUCCEEDED);
  book.remove(ear);
}

TEST_CASE("a mover that dies is FAILED, Interrupted; its record stays as it was [P-XFER-3]",
          "[server]") {
  const RecordFolder folder;
  LockHolder mover{folder, kBackup};
  folder.write(sample_record(v1::PHASE_RUNNING, now() - 1h));
  TransferIndex book{folder.path()};
  Ear ear;
  book.add(kBackup, ear);
  REQUIRE(ear.next());
  CHECK(book.running().size() == 1);
  mover.die();
  const auto heard = ear.next();
  REQUIRE(heard);
  CHECK(heard->phase() == v1::PHASE_FAILED);
  CHECK(heard->error().reason() == "Interrupted");
  CHECK(heard->error().code() == "SnapshotExecutionFailed");
  CHECK(heard->error().transient());
  CHECK(book.running().empty());
  // Looked at again, it ended at the same moment.
  const auto again = book.look_up(kBackup);
  REQUIRE(again);
  CHECK(again->transfer().completion_time().SerializeAsString() ==
        heard->completion_time().SerializeAsString());
  CHECK(transfers::read_record(folder.path(), kBackup)->transfer().phase() == v1::PHASE_RUNNING);
  book.remove(ear);
}

TEST_CASE("a mover has 30 s to come; then it never will [P-XFER-3]", "[server]") {
  const RecordFolder folder;
  folder.write(sample_record(v1::PHASE_PENDING, now()));
  folder.write(sample_record(v1::PHASE_PENDING, now() - 31s, "late"));
  TransferIndex book{folder.path()};
  CHECK(book.look_up(kBackup)->transfer().phase() == v1::PHASE_PENDING);
  const auto late = book.look_up({.operation = v1::OPERATION_BACKUP, .id = "late"});
  REQUIRE(late);
  CHECK(late->transfer().phase() == v1::PHASE_FAILED);
  CHECK(book.running() == std::set{kBackup});
}

TEST_CASE("a record that goes ends its listeners, and the transfer is unknown [P-XFER-2]",
          "[server]") {
  const RecordFolder folder;
  folder.write(sample_record(v1::PHASE_PENDING, now()));
  TransferIndex book{folder.path()};
  Ear ear;
  book.add(kBackup, ear);
  REQUIRE(transfers::remove_record(folder.path(), kBackup));
  const auto ending = ear.ending();
  REQUIRE(ending);
  CHECK(ending->code == Code::kNotFound);
  CHECK_FALSE(book.look_up(kBackup));
  CHECK(book.list().empty());
}

TEST_CASE("there is nothing to hear of a transfer that isn't there [P-XFER-2]", "[server]") {
  const RecordFolder folder;
  TransferIndex book{folder.path()};
  Ear ear;
  book.add(kBackup, ear);
  const auto ending = ear.ending();
  REQUIRE(ending);
  CHECK(ending->code == Code::kNotFound);
  CHECK(ending->message == "there is no backup with id \"b\"");
}

TEST_CASE("one listener too many is told the limit [P-SOCK-23]", "[server]") {
  const RecordFolder folder;
  folder.write(sample_record(v1::PHASE_SUCCEEDED, now()));
  TransferIndex book{folder.path()};
  std::list<Ear> ears(server::kMaxSubscribers);
  for (Ear& ear : ears) book.add(kBackup, ear);
  Ear late;
  book.add(kBackup, late);
  const auto refused = late.ending();
  REQUIRE(refused);
  CHECK(refused->code == Code::kResourceExhausted);
  book.remove(ears.front());
  Ear next;
  book.add(kBackup, next);
  CHECK(next.next());
  book.end(make_error(Code::kUnavailable, "stopping"));
  REQUIRE(next.ending());
  CHECK(next.ending()->code == Code::kUnavailable);
}

namespace {

const transfers::TransferKey kRestore{.operation = v1::OPERATION_RESTORE, .id = "r"};

internal::TransferRecord restored() {
  internal::TransferRecord record = sample_record(v1::PHASE_SUCCEEDED, now(), "r");
  record.mutable_transfer()->set_operation(v1::OPERATION_RESTORE);
  return record;
}

}  // namespace

TEST_CASE("a restore has succeeded when nothing is left to do for it [P-XFER-23]", "[server]") {
  const RecordFolder folder;
  folder.write(sample_record(v1::PHASE_SUCCEEDED, now()));
  std::mutex mutex;
  bool done = false;
  int tries = 0;
  // Both are called on threads of the book, where Catch2 can check nothing.
  std::set<std::string> ids;
  TransferIndex book{folder.path(),
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
  // Of a backup there is nothing.
  CHECK(book.look_up(kBackup)->transfer().phase() == v1::PHASE_SUCCEEDED);
  folder.write(restored());
  Ear ear;
  book.add(kRestore, ear);
  auto heard = ear.next();
  REQUIRE(heard);
  CHECK(heard->phase() == v1::PHASE_RUNNING);
  CHECK(is_completing(*heard));
  CHECK_FALSE(heard->has_completion_time());
  // Its mover has ended.
  CHECK(book.running().empty());
  heard = ear.next();
  REQUIRE(heard);
  CHECK(heard->phase() == v1::PHASE_SUCCEEDED);
  CHECK_FALSE(is_completing(*heard));
  book.remove(ear);
  const std::lock_guard lock{mutex};
  CHECK(tries == 2);
  CHECK(ids == std::set<std::string>{"r"});
}

TEST_CASE(
    "once a restore is known to be complete it stays so; another attempt is another "
    "[P-XFER-23]",
    "[server]") {
  const RecordFolder folder;
  folder.write(restored());
  std::atomic<bool> done = true;
  TransferIndex book{folder.path(),
                     {.is_done = [&](const v1::Transfer&) { return done.load(); },
                      .carry_out = [](const v1::Transfer&, const auto& ended) { ended(); }}};
  CHECK(book.look_up(kRestore)->transfer().phase() == v1::PHASE_SUCCEEDED);
  done = false;
  CHECK(book.look_up(kRestore)->transfer().phase() == v1::PHASE_SUCCEEDED);
  CHECK(book.list()[0].phase() == v1::PHASE_SUCCEEDED);
  auto second = restored();
  second.mutable_transfer()->set_attempt(2);
  folder.write(second);
  CHECK(is_completing(book.look_up(kRestore)->transfer()));
  done = true;
  CHECK(book.list()[0].phase() == v1::PHASE_SUCCEEDED);
}
