#include <catch2/catch.hpp>

#include "lvmd/transfer/record_lock.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::transfer;
using lvmd::supervisor::ScratchDirectory;

namespace {

const TransferKey kKey{.operation = v1::OPERATION_DELETE, .id = "a"};

}  // namespace

TEST_CASE("a lock is held as long as it lives, and seen by others [P-XFER-3]", "[transfer]") {
  const ScratchDirectory folder;
  CHECK(is_locked(folder.file(""), kKey) == false);
  {
    auto lock = RecordLock::take(folder.file(""), kKey);
    REQUIRE(lock);
    CHECK(is_locked(folder.file(""), kKey) == true);
    // Looking has taken nothing.
    CHECK(is_locked(folder.file(""), kKey) == true);
    const auto second = RecordLock::take(folder.file(""), kKey);
    REQUIRE_FALSE(second);
    CHECK(second.error().code == Code::kFailedPrecondition);
    CHECK(RecordLock::take(folder.file(""), {.operation = v1::OPERATION_DELETE, .id = "b"}));
  }
  CHECK(is_locked(folder.file(""), kKey) == false);
  CHECK(RecordLock::take(folder.file(""), kKey));
}

TEST_CASE("a lock's name is checked before a file is made", "[transfer]") {
  const ScratchDirectory folder;
  CHECK_FALSE(RecordLock::take(folder.file(""), {.operation = v1::OPERATION_DELETE, .id = "../x"}));
  CHECK_FALSE(is_locked(folder.file(""), {.operation = v1::OPERATION_DELETE, .id = "../x"}));
}
