// Thin pools that fail, on the real kernel: what callers, health, Watch and metrics say, and that
// all is well again after the repair.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/contract/scratch.hpp"
#include "tests/system/served_group.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;
using std::chrono_literals::operator""s;

namespace {

constexpr auto kNoticed = 15s;

constexpr const char* kClasses =
    "  - {name: beside, volume-group: vg_pools, spare-gb: 0}\n"
    "  - name: pooled\n"
    "    volume-group: vg_pools\n"
    "    type: thin\n"
    "    spare-gb: 0\n"
    "    thin-pool: {name: pool, overprovision-ratio: 10.0, data-high-water-percent: 100}\n";

constexpr const char* kData = R"(topolvm_thinpool_data_percent{node="NODE",device_class="pooled"})";

// A group with pool "pool" and volume "kept" in it, of which a MiB is written.
class PoolStage {
 public:
  PoolStage()
      : served_("vg_pools", 1, kClasses,
                "lvcreate -q -y --type thin-pool -L 32m --poolmetadatasize 4m -n pool vg_pools && "
                "lvchange -q --errorwhenfull y vg_pools/pool") {
    REQUIRE(client().create(create_request("pooled", "kept", 64 * kMiB)).ok());
    // The flush commits it, so the kernel does not roll it back.
    must(
        "dd if=/dev/urandom of=/dev/vg_pools/kept bs=1M count=1 oflag=direct conv=fsync "
        "status=none");
    // A look at the usage.
    REQUIRE(eventually([&] { return used() > 0; }, kNoticed));
  }

  Client& client() { return served_.client(); }
  ServedGroup& served() { return served_; }

  // The metric, which is that of Watch while the pool works.
  static double used() {
    std::string name = kData;
    name.replace(name.find("NODE"), 4, output_of("hostname"));
    return metric(name).value_or(-1);
  }

  bool is_watched() {
    const auto message = client().watch()->next(kCallLimit);
    REQUIRE(message);
    return std::ranges::any_of(message->items(), [](const proto::WatchItem& item) {
      return item.device_class() == "pooled";
    });
  }

  static bool state_is(const std::string& state) {
    return metric(fmt::format(R"(lvmd_thin_pool_state{{device_class="pooled",state="{}"}})",
                              state)) == 1.0;
  }

  // What a pool that takes no change looks like, within the time that it may take.
  void check_unusable(const std::string& state, const std::string& words,
                      const std::string& remedy) {
    CAPTURE(state);
    CHECK(served_.becomes(Health::kNotServing, kNoticed));
    CHECK(served_.says(words, 1s));
    const Done health = shell("lvmd health");
    CHECK(health.exit_code == 1);
    INFO(health.output);
    CHECK(health.output.find("vg/vg_pools: NOT_SERVING (") != std::string::npos);
    CHECK(health.output.find(remedy) != std::string::npos);

    const auto refused = [&](const auto& answer) {
      INFO(answer.message);
      CHECK(answer.code == Code::kUnavailable);
      CHECK(answer.reason == "POOL_UNAVAILABLE");
      CHECK(answer.says(words));
    };
    refused(client().create(create_request("pooled", "more", 8 * kMiB)));
    refused(client().snapshot(snapshot_request("pooled", "snap", "kept", "ro")));
    refused(client().resize(resize_request("pooled", "kept", 96 * kMiB)));
    refused(client().remove(remove_request("pooled", "kept")));
    refused(client().free_bytes("pooled"));
    CHECK(listed(client(), "pooled", "kept").name() == "kept");
    CHECK(shell("lvs vg_pools/kept").exit_code == 0);
    CHECK_FALSE(is_watched());
    CHECK(state_is(state));
    CHECK_FALSE(state_is("ok"));
    // lvmd keeps the last known usage. It can be less than before the condition, because the
    // kernel rolls back blocks that it cannot commit.
    CHECK(used() > 0);

    // Whoever doesn't use the pool works.
    CHECK(client().create(create_request("beside", "other", 8 * kMiB)).ok());
    CHECK(client().remove(remove_request("beside", "other")).ok());
    CHECK(metric(R"(lvmd_volume_group_usable{volume_group="vg_pools"})") == 1.0);
  }

  void check_usable() {
    CHECK(served_.becomes(Health::kServing, kNoticed));
    CHECK(state_is("ok"));
    CHECK(is_watched());
    CHECK(client().free_bytes("pooled").ok());
    CHECK(client().create(create_request("pooled", "more", 8 * kMiB)).ok());
    CHECK(client().remove(remove_request("pooled", "more")).ok());
    must("udevadm settle");
    const auto removed = client().remove(remove_request("pooled", "kept"));
    INFO(removed.message);
    CHECK(removed.ok());
  }

 private:
  ServedGroup served_;
};

// The pool's metadata volume with another table than LVM's, as a disk that fails under it.
class BrokenMetadata {
 public:
  // What the device is made of: "error", or flakey's words behind the device and the offset.
  explicit BrokenMetadata(const std::string& table) {
    must("modprobe dm-flakey; dmsetup table vg_pools-pool_tmeta > /run/tmeta.table");
    replace(fmt::format("set -- $(cat /run/tmeta.table); echo \"0 $2 {}\"", table));
  }
  void heal() { replace("cat /run/tmeta.table"); }

 private:
  static void replace(const std::string& table) {
    must(
        fmt::format("dmsetup suspend --noflush --nolockfs vg_pools-pool_tmeta && {{ {}; }} | "
                    "dmsetup load vg_pools-pool_tmeta && dmsetup resume vg_pools-pool_tmeta",
                    table));
  }
};

std::string pool_status() { return output_of("dmsetup status --noflush vg_pools-pool-tpool"); }

void write_to(const std::string& volume, int mib) {
  static_cast<void>(shell(fmt::format(
      "timeout 30 dd if=/dev/urandom of=/dev/vg_pools/{} bs=1M seek=8 count={} oflag=direct "
      "status=none",
      volume, mib)));
}

}  // namespace

TEST_CASE(
    "a pool whose metadata can't be read any more has failed, and works after its repair "
    "[P-POOL-1, P-POOL-3, P-POOL-4]",
    "[system]") {
  PoolStage stage;
  const BrokenMetadata broken{"error"};
  write_to("kept", 2);
  // The kernel commits the pool's metadata once a second.
  CHECK(
      eventually([] { return pool_status().ends_with("Error") || pool_status().ends_with("Fail"); },
                 kNoticed));
  INFO(pool_status());
  if (pool_status().ends_with("Error"))
    stage.check_unusable("error", "cannot read the metadata", "lvconvert --repair vg_pools/pool");
  else
    stage.check_unusable("failed", "has failed", "lvconvert --repair vg_pools/pool");
  must("lvchange -q -an vg_pools/kept vg_pools/pool");
  must(
      "lvconvert -q -y --repair vg_pools/pool && env -u DM_DISABLE_UDEV lvchange -q -ay "
      "vg_pools/kept");
  stage.check_usable();
}

TEST_CASE("a pool whose metadata can't be written needs a check [P-POOL-1, P-POOL-4]", "[system]") {
  PoolStage stage;
  BrokenMetadata broken{"flakey $4 $5 0 600 1 error_writes"};
  write_to("kept", 2);
  CHECK(eventually([] { return pool_status().find(" ro ") != std::string::npos; }, kNoticed));
  const std::string remedy =
      R"(--config 'global/thin_check_options=["-q","--clear-needs-check-flag"]')";
  stage.check_unusable("needs_check", "needs a check", remedy);
  broken.heal();
  must("lvchange -q -an vg_pools/kept vg_pools/pool");
  must("env -u DM_DISABLE_UDEV lvchange -q -ay " + remedy + " vg_pools/kept");
  stage.check_usable();
}

TEST_CASE("a pool whose transaction id is not that of LVM's metadata is left alone [P-POOL-1]",
          "[system]") {
  PoolStage stage;
  const std::string before = output_of("dmsetup status vg_pools-pool-tpool | cut -d' ' -f4");
  must(fmt::format("dmsetup message vg_pools-pool-tpool 0 'set_transaction_id {} 90'", before));
  stage.check_unusable("transaction_id_mismatch",
                       fmt::format("transaction id 90 in the kernel and {} in LVM's", before),
                       "vgcfgrestore --force -f FILE vg_pools");
  // As the message says, where no archive has it.
  must(
      "vgcfgbackup -q -f /run/vg_pools.text vg_pools && sed -i '/transaction_id = [1-9]/s/= .*/= "
      "90/' /run/vg_pools.text && vgcfgrestore -q -y --force -f /run/vg_pools.text vg_pools");
  stage.check_usable();
}

TEST_CASE("a pool without data space promises nothing, and its volumes can be removed [P-POOL-2]",
          "[system]") {
  PoolStage stage;
  // Zeros are blocks, too.
  REQUIRE(stage.client().create(create_request("pooled", "greedy", 64 * kMiB)).ok());
  write_to("greedy", 40);
  CHECK(eventually([] { return pool_status().find("out_of_data_space") != std::string::npos; },
                   kNoticed));
  CHECK(eventually([] { return PoolStage::state_is("out_of_data_space"); }, kNoticed));
  const auto free = stage.client().free_bytes("pooled");
  CHECK(free.ok());
  CHECK(free.response.free_bytes() == 0);
  CHECK(stage.is_watched());
  const auto refused = [](const auto& answer) {
    INFO(answer.message);
    CHECK(answer.code == Code::kResourceExhausted);
    CHECK(answer.reason == "NOT_ENOUGH_SPACE");
    CHECK(answer.says("out of data space"));
  };
  refused(stage.client().create(create_request("pooled", "more", 8 * kMiB)));
  refused(stage.client().snapshot(snapshot_request("pooled", "snap", "kept", "ro")));
  refused(stage.client().resize(resize_request("pooled", "kept", 96 * kMiB)));
  CHECK(stage.client().remove(remove_request("pooled", "greedy")).ok());
  stage.check_usable();
}

TEST_CASE("health tells of a pool that dmeventd does not watch, until it does [P-HEALTH-9]",
          "[system]") {
  PoolStage stage;
  const std::string words = "dmeventd does not monitor thin pool vg_pools/pool";
  const std::string unwatched = R"(lvmd_volume_group_unmonitored_pools{volume_group="vg_pools"})";
  CHECK(metric(unwatched) == 0.0);
  // A new observer asks.
  must(fmt::format("lvchange -q --monitor n vg_pools/pool && kill {}",
                   pid_of("lvmd-observer vg_pools")));
  CHECK(stage.served().says(words, kNoticed));
  CHECK(stage.served().becomes(Health::kServing, kNoticed));
  CHECK(metric(unwatched) == 1.0);
  // LVM tells nobody; the next change does.
  must("lvchange -q --monitor y vg_pools/pool");
  CHECK(stage.client().remove(remove_request("pooled", "kept")).ok());
  CHECK(stage.served().is_silent_of(words, kNoticed));
  CHECK(metric(unwatched) == 0.0);
}
