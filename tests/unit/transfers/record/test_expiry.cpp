#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/transfers/record/expiry.hpp"
#include "lvmd/transfers/record/record_lock.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"
#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace std::chrono_literals;
using lvmd::supervisor::ScratchDirectory;

namespace {

ListedRecord listed(v1::Phase phase, Time at, const std::string& id) {
  auto record = sample_record(phase, at, v1::OPERATION_BACKUP, id);
  const TransferKey key = key_of(record);
  return {key, std::move(record)};
}

}  // namespace

TEST_CASE("ended records expire after 7 days, running and invalid ones never [P-XFER-2]",
          "[transfer]") {
  const Time now = sample_time(std::chrono::days{100});
  std::vector<ListedRecord> records;
  records.push_back(listed(v1::PHASE_SUCCEEDED, now - std::chrono::days{7}, "young"));
  records.push_back(listed(v1::PHASE_FAILED, now - std::chrono::days{7} - 1s, "old"));
  records.push_back(listed(v1::PHASE_RUNNING, now - std::chrono::days{50}, "long"));
  records.emplace_back(TransferKey{v1::OPERATION_BACKUP, "bad"}, fail(Code::kInternal, "bad"));
  CHECK(expired(records, now) == std::vector<TransferKey>{{v1::OPERATION_BACKUP, "old"}});
}

TEST_CASE("the oldest ended records beyond 1,000 expire [P-XFER-2]", "[transfer]") {
  const Time now = sample_time(std::chrono::days{100});
  std::vector<ListedRecord> records;
  records.reserve(1002);
  for (int number = 0; number < 1002; ++number)
    records.push_back(listed(v1::PHASE_SUCCEEDED, now - std::chrono::seconds{number},
                             "n" + std::to_string(number)));
  CHECK(expired(records, now) ==
        std::vector<TransferKey>{{v1::OPERATION_BACKUP, "n1000"}, {v1::OPERATION_BACKUP, "n1001"}});
}

TEST_CASE("the record of a transfer that was started again is kept [P-XFER-2]", "[transfer]") {
  const ScratchDirectory directory;
  const Time now = sample_time(std::chrono::days{100});
  for (const std::string id : {"a", "b"})
    REQUIRE(write_record(directory.file(""), sample_record(v1::PHASE_FAILED, sample_time(1s),
                                                           v1::OPERATION_BACKUP, id)));
  const auto mover = RecordLock::take(directory.file(""), {v1::OPERATION_BACKUP, "b"});
  REQUIRE(mover);
  REQUIRE(expire(directory.file(""), now));
  const auto left = list_records(directory.file(""));
  REQUIRE(left);
  REQUIRE(left->size() == 1);
  CHECK(left->front().first.id == "b");
}
