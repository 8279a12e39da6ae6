#include <catch2/catch.hpp>
#include <string>

#include "lvmd/transfers/record/record_name.hpp"

using namespace lvmd;
using namespace lvmd::transfers;

TEST_CASE("the names of record and lock encode operation and id", "[transfer]") {
  const TransferKey key{.operation = v1::OPERATION_RESTORE, .id = "x.lock"};
  CHECK(record_name(key) == "restore-x.lock");
  CHECK(key_of_record("restore-x.lock") == key);
  CHECK(lock_name(key) == ".restore-x.lock.lock");
  CHECK(key_of_lock(".restore-x.lock.lock") == key);
  CHECK(key_of_record("check-x") == TransferKey{.operation = v1::OPERATION_CHECK, .id = "x"});
}

TEST_CASE("other file names are neither records nor locks", "[transfer]") {
  for (const char* const name : {"", "backup", "backup-", "backup-.x", "Backup-a", "move-a",
                                 ".backup-a.lock", ".backup-a.new", "backup-a b"})
    CHECK_FALSE(key_of_record(name));
  for (const char* const name : {"", ".", ".lock", "backup-a", "backup-a.lock", ".backup-a.new",
                                 ".backup-.lock", ".move-a.lock"})
    CHECK_FALSE(key_of_lock(name));
}

TEST_CASE("an unknown operation has no name", "[transfer]") {
  CHECK_FALSE(check_key({.operation = v1::OPERATION_UNSPECIFIED, .id = "a"}));
  CHECK_FALSE(check_key({.operation = static_cast<v1::Operation>(9), .id = "a"}));
  CHECK(check_key({.operation = v1::OPERATION_DELETE, .id = "a"}));
}
