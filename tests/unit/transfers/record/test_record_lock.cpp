#include <catch2/catch.hpp>

#include "lvmd/transfers/record/record_lock.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using lvmd::supervisor::ScratchDirectory;

namespace {

const TransferKey kLockKey{.operation = v1::OPERATION_DELETE, .id = "a"};

}  // namespace

TEST_CASE("a lock is held until it is destroyed, and others see it [P-XFER-3]", "[transfer]") {
  const ScratchDirectory directory;
  CHECK(is_locked(directory.file(""), kLockKey) == false);
  {
    auto lock = RecordLock::take(directory.file(""), kLockKey);
    REQUIRE(lock);
    CHECK(is_locked(directory.file(""), kLockKey) == true);
    // The query itself takes no lock.
    CHECK(is_locked(directory.file(""), kLockKey) == true);
    const auto second = RecordLock::take(directory.file(""), kLockKey);
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Code::kFailedPrecondition);
    CHECK(RecordLock::take(directory.file(""), {.operation = v1::OPERATION_DELETE, .id = "b"}));
  }
  CHECK(is_locked(directory.file(""), kLockKey) == false);
  CHECK(RecordLock::take(directory.file(""), kLockKey));
}

TEST_CASE("an invalid key is rejected before a lock file is created", "[transfer]") {
  const ScratchDirectory directory;
  CHECK_FALSE(
      RecordLock::take(directory.file(""), {.operation = v1::OPERATION_DELETE, .id = "../x"}));
  CHECK_FALSE(is_locked(directory.file(""), {.operation = v1::OPERATION_DELETE, .id = "../x"}));
}
