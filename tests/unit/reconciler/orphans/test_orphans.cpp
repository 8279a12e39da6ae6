#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "reconciler/app/options.hpp"
#include "reconciler/app/provisioning_times.hpp"
#include "reconciler/kube/object_cache.hpp"
#include "reconciler/model/uuid.hpp"
#include "reconciler/orphans/orphan_detector.hpp"
#include "reconciler/orphans/orphan_tracker.hpp"
#include "tests/unit/reconciler/directory/directory_world.hpp"
#include "tests/unit/reconciler/fake_store.hpp"

using namespace lvmd::reconciler;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const std::string kUid = "0f8c1a52-3b9d-4e6f-a1b2-0123456789ab";
const std::string kOther = "11111111-2222-3333-4444-555555555555";
const std::string kOwner = "kube/node-1";
const OrphanTracker::Time kStart{std::chrono::hours{1}};

ListedVolume volume(const std::string& name) {
  return {.device_class = "ssd",
          .name = name,
          .path = "/dev/vg0/" + name,
          .size = Bytes{4096},
          .owner = kOwner};
}

Claim claim(const std::string& uid, const std::string& device_class = "ssd") {
  return {.key = {.name = "data"}, .uid = uid, .device_class = device_class, .has_volume = true};
}

}  // namespace

TEST_CASE("only UUIDs in lower case can be orphans [R-LEDG-1]", "[reconciler][ledger]") {
  CHECK(is_uuid(kUid));
  const std::string other =
      GENERATE(as<std::string>{}, "", "root", "0f8c1a52-3b9d-4e6f-a1b2-0123456789a",
               "0f8c1a52-3b9d-4e6f-a1b2-0123456789abc", "0F8C1A52-3b9d-4e6f-a1b2-0123456789ab",
               "0f8c1a5203b9d-4e6f-a1b2-0123456789abc", "0f8c1a52-3b9d-4e6f-a1b2-0123456789ag");
  CHECK_FALSE(is_uuid(other));
  OrphanTracker orphans;
  orphans.update({.classes = {"ssd"}, .volumes = {volume(other)}}, {}, kStart);
  CHECK(orphans.orphans().empty());
}

TEST_CASE(
    "a volume without an object is an orphan since it was first seen without one [R-LEDG-1, "
    "R-LEDG-5]",
    "[reconciler][ledger]") {
  OrphanTracker orphans;
  const Inventory both{.classes = {"ssd"}, .volumes = {volume(kUid), volume(kOther)}};
  orphans.update(both, {claim(kUid)}, kStart);
  REQUIRE(orphans.orphans().size() == 1);
  CHECK(orphans.orphans().begin()->second.volume == volume(kOther));
  orphans.update(both, {claim(kUid)}, kStart + seconds{30});
  CHECK(orphans.orphans().begin()->second.since == kStart);
  CHECK(orphans.removable(kStart + seconds{59}, seconds{60}, kOwner).empty());
  CHECK(orphans.removable(kStart + seconds{60}, seconds{60}, kOwner) ==
        std::vector{volume(kOther)});
  SECTION("one that had an object meanwhile begins anew") {
    orphans.update(both, {claim(kUid), claim(kOther)}, kStart + seconds{40});
    CHECK(orphans.orphans().empty());
    orphans.update(both, {claim(kUid)}, kStart + seconds{50});
    CHECK(orphans.removable(kStart + seconds{60}, seconds{60}, kOwner).empty());
  }
  SECTION("without any object none is to be removed [R-LEDG-5]") {
    orphans.update(both, {}, kStart + seconds{50});
    CHECK(orphans.orphans().size() == 2);
    CHECK(orphans.removable(kStart + std::chrono::hours{100}, seconds{60}, kOwner).empty());
  }
}

TEST_CASE("only an orphan with this store's owner mark is removed [R-LEDG-5]",
          "[reconciler][ledger]") {
  OrphanTracker orphans;
  ListedVolume orphan = volume(kOther);
  orphan.owner = GENERATE(as<std::string>{}, "", "kube/node-2", "directory/node-1", "kube/node-11",
                          "kube/node-");
  orphans.update({.classes = {"ssd"}, .volumes = {orphan}}, {claim(kUid)}, kStart);
  CHECK(orphans.orphans().size() == 1);
  CHECK(orphans.removable(kStart + seconds{90}, seconds{60}, kOwner).empty());
  CHECK(orphans.removable(kStart + seconds{90}, seconds{60}, "").empty());
  orphan.owner = kOwner;
  orphans.update({.classes = {"ssd"}, .volumes = {orphan}}, {claim(kUid)}, kStart);
  CHECK(orphans.removable(kStart + seconds{90}, seconds{60}, kOwner).size() == 1);
}

TEST_CASE("an object misses its volume only when its class was listed [R-LEDG-2]",
          "[reconciler][ledger]") {
  OrphanTracker orphans;
  const Inventory inventory{.classes = {"", "ssd"}, .volumes = {volume(kOther)}};
  SECTION("of a listed class") {
    orphans.update(inventory, {claim(kUid)}, kStart);
    CHECK(orphans.missing() == std::vector{claim(kUid)});
  }
  SECTION("of the default class") {
    orphans.update(inventory, {claim(kUid, "")}, kStart);
    CHECK(orphans.missing().size() == 1);
  }
  SECTION("of a volume group that shows volumes") {
    Claim old = claim(kUid, "");
    old.vg_name = GENERATE(as<std::string>{}, "vg0", "vg", "vg01");
    orphans.update(inventory, {old}, kStart);
    CHECK(orphans.missing().size() == (old.vg_name == "vg0" ? 1 : 0));
  }
  SECTION("not of a class that is not usable") {
    orphans.update(inventory, {claim(kUid, "hdd")}, kStart);
    CHECK(orphans.missing().empty());
  }
  SECTION("not before it was made") {
    Claim fresh = claim(kUid);
    fresh.has_volume = false;
    orphans.update(inventory, {fresh}, kStart);
    CHECK(orphans.missing().empty());
  }
}

namespace {

// A keeper beside a store and a service that both know one volume; the service has an orphan too.
struct Keeping {
  test::FakeStore store;
  test::FakeService service;

  Keeping() {
    store.claimed = {claim(kUid)};
    service.volumes[kUid] = Bytes{4096};
    service.volumes[kOther] = Bytes{8192};
    service.owners = {{kUid, kOwner}, {kOther, kOwner}};
  }

  // How often the service is asked to remove something within a while.
  std::size_t removals(Mode mode, OrphanOptions options) {
    OrphanDetector keeper{store, service, mode, options};
    std::this_thread::sleep_for(milliseconds{150});
    keeper.stop();
    return service.calls.size();
  }
};

}  // namespace

TEST_CASE("an orphan is removed only when that is enabled [R-LEDG-3, R-LEDG-5, R-CLI-12]",
          "[reconciler][ledger]") {
  Keeping world;
  const OrphanOptions on{.remove_after = milliseconds{30}, .every = milliseconds{10}};
  SECTION("off") { CHECK(world.removals(Mode::kAct, {.every = milliseconds{10}}) == 0); }
  SECTION("in a dry run") { CHECK(world.removals(Mode::kDryRun, on) == 0); }
  SECTION("while objects may be unknown") {
    world.store.claimed.reset();
    CHECK(world.removals(Mode::kAct, on) == 0);
  }
  SECTION("that is another store's") {
    world.service.owners[kOther] = "kube/node-2";
    CHECK(world.removals(Mode::kAct, on) == 0);
  }
  SECTION("while this store's owner is not known") {
    world.store.own.clear();
    CHECK(world.removals(Mode::kAct, on) == 0);
  }
  SECTION("that an object of another node has") {
    world.store.names = {kUid, kOther};
    CHECK(world.removals(Mode::kAct, on) == 0);
  }
  SECTION("while all objects can't be asked for") {
    world.store.names_error = lvmd::make_error(lvmd::Code::kUnavailable, "away");
    CHECK(world.removals(Mode::kAct, on) == 0);
  }
  SECTION("while there is no object in any node") {
    world.store.names.clear();
    CHECK(world.removals(Mode::kAct, on) == 0);
  }
  SECTION("on") {
    CHECK(world.removals(Mode::kAct, on) == 1);
    CHECK(world.service.calls.front() == "remove " + kOther);
    CHECK(world.service.volumes.contains(kUid));
  }
}

TEST_CASE("a volume with an object gets this store's owner mark, others get none [R-LEDG-7]",
          "[reconciler][ledger]") {
  Keeping world;
  world.store.object.key.name = "data";
  world.store.object.uid = kUid;
  world.service.owners = {{kUid, GENERATE(as<std::string>{}, "", "kube/node-2")}};
  const OrphanOptions options{.every = milliseconds{10}};
  SECTION("marked once") {
    CHECK(world.removals(Mode::kAct, options) == 1);
    CHECK(world.service.owners[kUid] == kOwner);
    CHECK(world.service.owners[kOther].empty());
  }
  SECTION("not in a dry run") { CHECK(world.removals(Mode::kDryRun, options) == 0); }
  SECTION("not by an lvmd that knows no owners") {
    world.service.knows_owners = false;
    CHECK(world.removals(Mode::kAct, options) == 0);
  }
  SECTION("not while it is going") {
    world.store.claimed->front().has_volume = false;
    CHECK(world.removals(Mode::kAct, options) == 0);
  }
  SECTION("not for good when its object is given up meanwhile") {
    world.service.on_owner = [&world] { world.store.object.removal_wanted = true; };
    CHECK(world.removals(Mode::kAct, {.every = seconds{10}}) == 2);
    CHECK(world.service.owners[kUid].empty());
  }
}

TEST_CASE("the report of orphans names volumes and objects [R-LEDG-4]", "[reconciler][ledger]") {
  Keeping world;
  world.store.claimed->push_back(claim("22222222-2222-3333-4444-555555555555"));
  OrphanDetector keeper{world.store, world.service, Mode::kAct, {.every = milliseconds{5}}};
  for (int i = 0; i < 400 && !keeper.counts(); ++i) std::this_thread::sleep_for(milliseconds{5});
  REQUIRE(keeper.counts().has_value());
  CHECK(keeper.counts()->orphans == 1);
  CHECK(keeper.counts()->missing == 1);
  CHECK(keeper.report().contains("volume /dev/vg0/" + kOther + " of 8192 bytes, class ssd"));
  CHECK(keeper.report().contains("its owner mark is this store's"));
  CHECK(keeper.report().contains("object topolvm.io/data has no volume 22222222-"));
  keeper.stop();
}

TEST_CASE("every record claims its volume, an unusable one hides others [R-LEDG-3]",
          "[reconciler][ledger]") {
  test::DirectoryWorld world;
  world.restart();
  const std::string uid = world.make("data").uid;
  REQUIRE(world.store().claims().has_value());
  REQUIRE(world.store().claims()->size() == 1);
  CHECK(world.store().claims()->front() ==
        Claim{.key = {.name = "data"}, .uid = uid, .device_class = "ssd", .has_volume = true});
  world.write("data.yaml", "not: [a manifest");
  world.poll();
  CHECK(world.store().claims()->size() == 1);
  std::ofstream{world.state() / "topolvm.io_other.record.yaml"} << "nonsense";
  world.restart();
  CHECK_FALSE(world.store().claims().has_value());
}

TEST_CASE("every object of the node claims its volume [R-LEDG-3]", "[reconciler][ledger]") {
  kube::ObjectCache cache{"n1"};
  cache.on_change([](const Key&) {});
  LogicalVolume object;
  object.key.name = "data";
  object.uid = kUid;
  object.spec.node_name = "n1";
  object.spec.vg_name = "vg0";
  object.annotations["topolvm.io/pendingdeletion"] = "";
  cache.put(object);
  REQUIRE(cache.claims().size() == 1);
  CHECK(cache.claims().front() == Claim{.key = object.key, .uid = kUid, .vg_name = "vg0"});
  object.status.volume_id = kUid;
  cache.put(object);
  CHECK(cache.claims().front().has_volume);
  object.removal_wanted = true;
  cache.put(object);
  CHECK_FALSE(cache.claims().front().has_volume);
}

TEST_CASE("an object waits for its volume from when it was first seen [R-SERVE-4]",
          "[reconciler][run]") {
  ProvisioningTimes times;
  LogicalVolume object;
  object.key.name = "data";
  const ProvisioningTimes::Time start{};
  times.seen(object, start);
  times.seen(object, start + seconds{2});
  CHECK_FALSE(times.finished(object, start + seconds{3}).has_value());
  object.status.volume_id = kUid;
  CHECK(times.finished(object, start + seconds{3}) == seconds{3});
  CHECK_FALSE(times.finished(object, start + seconds{4}).has_value());
  times.seen(object, start + seconds{5});
  CHECK_FALSE(times.finished(object, start + seconds{6}).has_value());
}

TEST_CASE("online snapshots are off by default, and their gate is the phase [R-CLI-14, R-CLI-15]",
          "[reconciler][run]") {
  const auto parse = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), "lvmd-reconciler");
    std::vector<char*> arguments;
    arguments.reserve(flags.size());
    for (std::string& flag : flags) arguments.push_back(flag.data());
    return parse_options(static_cast<int>(arguments.size()), arguments.data());
  };
  CHECK_FALSE(parse({})->online_snapshots);
  CHECK(parse({"--online-snapshots"})->online_snapshots);
  CHECK(parse({"--online-snapshots"})->restore_gate == RestoreGate::kPhase);
  CHECK(parse({"--online-snapshots", "--restore-gate=volumeid"})->restore_gate ==
        RestoreGate::kVolumeId);
  CHECK_FALSE(parse({"--restore-gate=volumeid"}).has_value());
  CHECK_FALSE(parse({"--online-snapshots", "--restore-gate=never"}).has_value());
}

TEST_CASE("a grace for orphans has a unit and is not short [R-CLI-12]", "[reconciler][run]") {
  const auto parse = [](std::string flag) {
    std::string program = "lvmd-reconciler";
    std::array<char*, 3> arguments{program.data(), flag.data(), nullptr};
    return parse_options(2, arguments.data());
  };
  CHECK(parse("--remove-orphans-after=24h")->remove_orphans_after == std::chrono::hours{24});
  CHECK_FALSE(parse("--log-level=info")->remove_orphans_after.has_value());
  const std::string wrong = GENERATE(as<std::string>{}, "24", "9s", "0s");
  CHECK_FALSE(parse("--remove-orphans-after=" + wrong).has_value());
}
