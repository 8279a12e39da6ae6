#include <catch2/catch.hpp>

#include "lvmd/volumes/observer/pool_usage.hpp"

using namespace lvmd;
using namespace lvmd::volumes::observer;

namespace {

model::VolumeGroup group_with_pool(std::optional<model::PoolUsage> usage) {
  model::LogicalVolume pool;
  pool.name = "pool0";
  pool.id = "pool-id";
  pool.role = model::LvRole::kThinPool;
  pool.usage = usage;
  if (usage) pool.pool_condition = model::PoolCondition{};
  model::LogicalVolume plain;
  plain.name = "plain";
  plain.id = "plain-id";
  model::VolumeGroup group;
  group.id = "vg-id";
  group.logical_volumes = {plain, pool};
  return group;
}

PoolQuery shows(std::optional<model::PoolUsage> usage) {
  return [usage](std::string_view vg_id, std::string_view lv_id) {
    // Only pools are queried, by both IDs.
    CHECK(vg_id == "vg-id");
    CHECK(lv_id == "pool-id");
    model::ThinPoolState state;
    state.usage = usage;
    return Result<std::optional<model::ThinPoolState>>{state};
  };
}

constexpr model::PoolUsage kKnown{.data_percent = 12.345678, .metadata_percent = 1.5};

}  // namespace

TEST_CASE("an unchanged usage of a pool causes no read [P-WATCH-20]", "[observer]") {
  CHECK_FALSE(usage_differs(group_with_pool(kKnown), shows(kKnown)));
}

TEST_CASE("any change of a pool's usage causes a read [P-WATCH-20]", "[observer]") {
  const auto group = group_with_pool(kKnown);
  CHECK(usage_differs(group, shows(model::PoolUsage{12.345679, 1.5})));
  CHECK(usage_differs(group, shows(model::PoolUsage{12.345678, 1.6})));
  CHECK(usage_differs(group, shows(std::nullopt)));
  CHECK(usage_differs(group_with_pool(std::nullopt), shows(kKnown)));
}

TEST_CASE("a difference below the two digits of LVM's report is no change", "[observer]") {
  auto group = group_with_pool(model::PoolUsage{12.35, 1.5});
  group.source = model::StateSource::kReport;
  CHECK_FALSE(usage_differs(group, shows(kKnown)));
  CHECK(usage_differs(group, shows(model::PoolUsage{12.37, 1.5})));
}

TEST_CASE("a pool that stays inactive is unchanged, a failed query counts as a change",
          "[observer]") {
  const auto inactive = group_with_pool(std::nullopt);
  CHECK_FALSE(usage_differs(inactive, [](std::string_view, std::string_view) {
    return Result<std::optional<model::ThinPoolState>>{std::nullopt};
  }));
  CHECK(usage_differs(
      inactive,
      [](std::string_view, std::string_view) -> Result<std::optional<model::ThinPoolState>> {
        return fail(Code::kInternal, "no answer");
      }));
}

TEST_CASE("a change of a pool's condition causes a read [P-POOL-4]", "[observer]") {
  auto group = group_with_pool(kKnown);
  group.logical_volumes[1].pool_condition = model::PoolCondition{.kernel_transaction = 3};
  model::ThinPoolState now{.device = {}, .usage = kKnown};
  now.transaction_id = 3;
  const PoolQuery query = [&now](std::string_view, std::string_view) {
    return Result<std::optional<model::ThinPoolState>>{now};
  };
  CHECK_FALSE(usage_differs(group, query));
  now.needs_check = true;
  CHECK(usage_differs(group, query));
  now.needs_check = false;
  now.transaction_id = 4;
  CHECK(usage_differs(group, query));
}

TEST_CASE(
    "a RAID volume that loses a leg causes a read, a volume without copies is not queried "
    "[P-HEALTH-9]",
    "[observer]") {
  auto group = group_with_pool(kKnown);
  group.logical_volumes[0].redundancy = model::Redundancy::kInSync;
  auto now = std::optional{model::Redundancy::kInSync};
  const RedundancyQuery query = [&now](std::string_view, std::string_view lv_id) {
    CHECK(lv_id == "plain-id");
    return Result<std::optional<model::Redundancy>>{now};
  };
  CHECK_FALSE(redundancy_differs(group, query));
  now = model::Redundancy::kDegraded;
  CHECK(redundancy_differs(group, query));
  now.reset();
  CHECK(redundancy_differs(group, query));
}
