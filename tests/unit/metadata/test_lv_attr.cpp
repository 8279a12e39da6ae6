#include <catch2/catch.hpp>

#include "lvmd/metadata/lv_attr.hpp"

using namespace lvmd;
using namespace lvmd::metadata;

namespace {

constexpr model::DeviceState kActive{};

LvFacts active(LvKind kind) {
  LvFacts facts;
  facts.kind = kind;
  facts.device = kActive;
  return facts;
}

model::DeviceState device_with_tables(bool live, bool inactive) {
  model::DeviceState device;
  device.live_table = live;
  device.inactive_table = inactive;
  return device;
}

model::ThinPoolState pool_that(bool model::ThinPoolState::* is) {
  model::ThinPoolState pool;
  pool.*is = true;
  return pool;
}

}  // namespace

TEST_CASE("each kind of volume has its letters", "[metadata]") {
  CHECK(lv_attr(active(LvKind::kPlain)) == "-wi-a-----");
  CHECK(lv_attr(active(LvKind::kThinPool)) == "twi-a-t---");
  CHECK(lv_attr(active(LvKind::kThin)) == "Vwi-a-t---");
  CHECK(lv_attr(active(LvKind::kPoolData)) == "Twi-a-----");
  CHECK(lv_attr(active(LvKind::kPoolMetadata)) == "ewi-a-----");
}

TEST_CASE("an inactive volume has neither state nor openers", "[metadata]") {
  LvFacts facts;
  CHECK(lv_attr(facts) == "-wi-------");
  facts.kind = LvKind::kThin;
  CHECK(lv_attr(facts) == "Vwi---t---");
}

TEST_CASE("permissions are the metadata's, R where the device is stricter", "[metadata]") {
  LvFacts facts = active(LvKind::kPlain);
  facts.device->read_only = true;
  CHECK(lv_attr(facts) == "-Ri-a-----");
  facts.writable = false;
  CHECK(lv_attr(facts) == "-ri-a-----");
  facts.readable = false;
  CHECK(lv_attr(facts) == "--i-a-----");
}

TEST_CASE("policy, fixed minor and activation skip", "[metadata]") {
  LvFacts facts = active(LvKind::kPlain);
  facts.allocation = 'c';
  facts.fixed_minor = true;
  facts.activation_skip = true;
  CHECK(lv_attr(facts) == "-wcma----k");
}

TEST_CASE("the device's state", "[metadata]") {
  LvFacts facts = active(LvKind::kPlain);
  facts.device->open_count = 2;
  CHECK(lv_attr(facts) == "-wi-ao----");
  facts.device->suspended = true;
  CHECK(lv_attr(facts) == "-wi-so----");
  facts.device = device_with_tables(false, true);
  CHECK(lv_attr(facts) == "-wi-i-----");
  facts.device = device_with_tables(false, false);
  CHECK(lv_attr(facts) == "-wi-d-----");
}

TEST_CASE("zeroing shows on pools and their volumes alone", "[metadata]") {
  LvFacts facts = active(LvKind::kThin);
  facts.zeroes_blocks = true;
  CHECK(lv_attr(facts) == "Vwi-a-tz--");
  facts.kind = LvKind::kThinPool;
  CHECK(lv_attr(facts) == "twi-a-tz--");
  facts.kind = LvKind::kPlain;
  CHECK(lv_attr(facts) == "-wi-a-----");
}

TEST_CASE("a pool's health, the worst first", "[metadata]") {
  LvFacts facts = active(LvKind::kThinPool);
  facts.pool = model::ThinPoolState{};
  CHECK(lv_attr(facts) == "twi-a-t---");
  facts.pool->read_only = true;
  CHECK(lv_attr(facts) == "twi-a-t-M-");
  facts.pool->out_of_data_space = true;
  CHECK(lv_attr(facts) == "twi-a-t-D-");
  facts.pool->failed = true;
  CHECK(lv_attr(facts) == "twi-a-t-F-");
  facts.partial = true;
  CHECK(lv_attr(facts) == "twi-a-t-p-");
}

TEST_CASE("a pool that needs a check says so instead of being active", "[metadata]") {
  LvFacts facts = active(LvKind::kThinPool);
  facts.pool = pool_that(&model::ThinPoolState::needs_check);
  CHECK(lv_attr(facts) == "twi-c-t---");
  facts.device->suspended = true;
  CHECK(lv_attr(facts) == "twi-C-t---");
  // A thin volume of it doesn't.
  facts.kind = LvKind::kThin;
  CHECK(lv_attr(facts) == "Vwi-s-t---");
}

TEST_CASE("a thin volume fails with its pool, when it is active", "[metadata]") {
  LvFacts facts = active(LvKind::kThin);
  facts.pool = pool_that(&model::ThinPoolState::failed);
  CHECK(lv_attr(facts) == "Vwi-a-t-F-");
  facts.pool = pool_that(&model::ThinPoolState::out_of_data_space);
  CHECK(lv_attr(facts) == "Vwi-a-t---");
  facts.pool = pool_that(&model::ThinPoolState::failed);
  facts.device.reset();
  CHECK(lv_attr(facts) == "Vwi---t---");
}

TEST_CASE("a volume on a missing physical volume is partial", "[metadata]") {
  LvFacts facts = active(LvKind::kPlain);
  facts.partial = true;
  CHECK(lv_attr(facts) == "-wi-a---p-");
}
