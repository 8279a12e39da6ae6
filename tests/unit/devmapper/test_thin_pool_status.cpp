#include <catch2/catch.hpp>

#include "lvmd/devmapper/target_status.hpp"

using namespace lvmd;
using namespace lvmd::devmapper;

TEST_CASE("the status of a healthy pool has its usage", "[devmapper]") {
  const auto pool =
      parse_thin_pool_status("2 118/1024 945/6400 - rw discard_passdown queue_if_no_space - 1024");
  REQUIRE(pool);
  REQUIRE(pool->usage);
  CHECK(pool->usage->data_percent == Approx(14.765625));
  CHECK(pool->usage->metadata_percent == Approx(11.5234375));
  CHECK_FALSE((pool->failed || pool->out_of_data_space || pool->read_only || pool->needs_check));
}

TEST_CASE("the status of a pool has its problems", "[devmapper]") {
  const auto full = parse_thin_pool_status(
      "2 118/1024 6400/6400 - out_of_data_space discard_passdown error_if_no_space - 1024");
  REQUIRE(full);
  CHECK(full->out_of_data_space);
  CHECK(full->usage->data_percent == Approx(100));

  const auto read_only = parse_thin_pool_status(
      "2 118/1024 945/6400 - ro discard_passdown queue_if_no_space needs_check 1024");
  REQUIRE(read_only);
  CHECK(read_only->read_only);
  CHECK(read_only->needs_check);
}

TEST_CASE("a failed pool has no usage", "[devmapper]") {
  const auto* const status = GENERATE("Fail", "Error");
  const auto pool = parse_thin_pool_status(status);
  REQUIRE(pool);
  CHECK(pool->failed);
  CHECK_FALSE(pool->usage);
}

TEST_CASE("the status of another target is rejected", "[devmapper]") {
  const auto* const status = GENERATE("", "0 2097152 linear", "2 118 945");
  CAPTURE(status);
  const auto pool = parse_thin_pool_status(status);
  REQUIRE_FALSE(pool);
  CHECK(pool.error().code == Code::kInternal);
}

TEST_CASE("a pool's transaction id is read, and Error differs from Fail [P-POOL-1]",
          "[devmapper]") {
  const auto pool =
      parse_thin_pool_status("7 118/1024 945/6400 - rw discard_passdown queue_if_no_space - 1024");
  REQUIRE(pool);
  CHECK(pool->transaction_id == 7);
  CHECK(parse_thin_pool_status("Error")->error);
  CHECK_FALSE(parse_thin_pool_status("Fail")->error);
}
