#include <catch2/catch.hpp>

#include "lvmd/model/available.hpp"
#include "lvmd/model/pool_health.hpp"

using namespace lvmd::model;
using lvmd::Code;

namespace {

constexpr Bytes kExtent{4'194'304};
const ThinPoolTarget kPool{.name = "pool"};
const DeviceClass kThin{.volume_group = "vg", .spare = {0}, .thin_pool = kPool};

VolumeGroup group_with(std::optional<PoolCondition> condition, std::optional<PoolUsage> usage) {
  return {.name = "vg",
          .extent_size = kExtent,
          .logical_volumes = {{.name = "pool",
                               .role = LvRole::kThinPool,
                               .size = {100 * kExtent.value},
                               .usage = usage,
                               .pool_condition = condition}}};
}

constexpr PoolUsage kUsage{.data_percent = 10, .metadata_percent = 5};

}  // namespace

TEST_CASE("a pool that cannot be changed is unavailable, with the remedy [P-POOL-1]", "[model]") {
  const auto [condition, words, remedy] = GENERATE(table<PoolCondition, std::string, std::string>(
      {{{.kernel = PoolHealth::kFailed},
        "thin pool vg/pool has failed",
        "lvconvert --repair vg/pool"},
       {{.kernel = PoolHealth::kError},
        "cannot read the metadata of thin pool vg/pool",
        "lvconvert --repair vg/pool"},
       {{.kernel = PoolHealth::kReadOnly},
        "thin pool vg/pool is read-only",
        "lvextend --poolmetadatasize"},
       {{.kernel = PoolHealth::kNeedsCheck}, "needs a check", "--clear-needs-check-flag"},
       {{.kernel = PoolHealth::kOk, .kernel_transaction = 9, .metadata_transaction = 7},
        "transaction id 9 in the kernel and 7 in LVM's metadata",
        "vgcfgrestore --force -f FILE vg`"}}));
  const VolumeGroup group = group_with(condition, kUsage);
  const auto found = find_usable_pool(group, kPool);
  REQUIRE_FALSE(found);
  CHECK(found.error().code == Code::kUnavailable);
  CHECK(found.error().reason == "POOL_UNAVAILABLE");
  CHECK_THAT(found.error().message, Catch::Contains(words) && Catch::Contains(remedy));
  const auto offered = available(group, kThin);
  REQUIRE_FALSE(offered);
  CHECK(offered.error().message == found.error().message);
  // find_thin_pool() finds it nevertheless.
  CHECK(find_thin_pool(group, kPool));
}

TEST_CASE("a healthy or inactive pool is usable [P-POOL-1]", "[model]") {
  CHECK(find_usable_pool(group_with(PoolCondition{}, kUsage), kPool));
  CHECK(find_usable_pool(group_with(std::nullopt, std::nullopt), kPool));
}

TEST_CASE("a pool that is out of data space provisions nothing [P-POOL-2]", "[model]") {
  const VolumeGroup group =
      group_with(PoolCondition{.kernel = PoolHealth::kOutOfDataSpace}, kUsage);
  CHECK(find_usable_pool(group, kPool));
  CHECK(available(group, kThin) == Bytes{0});
  const auto space = check_pool_space(group, kPool);
  REQUIRE_FALSE(space);
  CHECK(space.error().code == Code::kResourceExhausted);
  CHECK_THAT(space.error().message, Catch::Contains("thin pool vg/pool is out of data space"));
}

TEST_CASE("an active pool with unknown usage is unavailable [P-POOL-3]", "[model]") {
  const VolumeGroup group = group_with(PoolCondition{}, std::nullopt);
  const auto offered = available(group, kThin);
  REQUIRE_FALSE(offered);
  CHECK(offered.error().code == Code::kUnavailable);
}

TEST_CASE("the most severe state of the pool's status counts", "[model]") {
  CHECK(kernel_health({}) == PoolHealth::kOk);
  CHECK(kernel_health({.failed = true, .error = true}) == PoolHealth::kError);
  CHECK(kernel_health({.failed = true}) == PoolHealth::kFailed);
  CHECK(kernel_health({.read_only = true, .needs_check = true}) == PoolHealth::kNeedsCheck);
  CHECK(kernel_health({.read_only = true}) == PoolHealth::kReadOnly);
  CHECK(kernel_health({.out_of_data_space = true}) == PoolHealth::kOutOfDataSpace);
}
