#include <catch2/catch.hpp>
#include <string>

#include "lvmd/transfers/mover/restore_uuid.hpp"

using lvmd::transfers::mover::uuid_of_restore;

TEST_CASE("an id that is a UUID is used in lower case [P-XFER-9]", "[mover]") {
  CHECK(uuid_of_restore("6F9619FF-8B86-D011-B42D-00CF4FC964FF") ==
        "6f9619ff-8b86-d011-b42d-00cf4fc964ff");
}

TEST_CASE("any other id has a fixed UUID derived from it [P-XFER-9]", "[mover]") {
  const std::string uuid = uuid_of_restore("nightly");
  // `printf %s lvmd.v1.restore:nightly | sha256sum`, with version and variant set.
  CHECK(uuid == "8a01b3e0-d009-8678-932d-a6218860aa52");
  CHECK(uuid != uuid_of_restore("nightly2"));
  // The nil UUID is not used: it means none.
  CHECK(uuid_of_restore("00000000-0000-0000-0000-000000000000") !=
        "00000000-0000-0000-0000-000000000000");
  CHECK(uuid_of_restore("6f9619ff-8b86-d011-b42d-00cf4fc964fg") !=
        "6f9619ff-8b86-d011-b42d-00cf4fc964fg");
}
