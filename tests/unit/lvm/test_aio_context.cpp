#include <linux/aio_abi.h>

#include <catch2/catch.hpp>

#include "lvmd/lvm/aio_context.hpp"

extern "C" {
int io_setup(int events, aio_context_t* context);
int io_destroy(aio_context_t context);
}

namespace {

constexpr int kEvents = 8;

aio_context_t make() {
  aio_context_t context = 0;
  REQUIRE(io_setup(kEvents, &context) == 0);
  return context;
}

}  // namespace

TEST_CASE("a command gets the context of the command before it", "[lvm]") {
  lvmd::lvm::keep_aio_context();
  const aio_context_t first = make();
  CHECK(io_destroy(first) == 0);
  const aio_context_t second = make();
  CHECK(second == first);
  SECTION("two contexts at once are different") {
    const aio_context_t other = make();
    CHECK(other != second);
    CHECK(io_destroy(other) == 0);
    CHECK(io_destroy(other) < 0);
  }
  SECTION("a context for more events is a new one") {
    CHECK(io_destroy(second) == 0);
    aio_context_t larger = 0;
    REQUIRE(io_setup(kEvents * 2, &larger) == 0);
    CHECK(larger != first);
    CHECK(io_destroy(larger) == 0);
    CHECK(make() == first);
  }
  CHECK(io_destroy(first) == 0);
}
