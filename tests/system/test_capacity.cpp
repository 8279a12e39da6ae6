// "Free says yes, lvcreate says no" can't happen: what lvmd computes for a layout is held against
// lvcreate itself, in groups whose free space is scattered at random.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "lvmd/lvm/lvm_session.hpp"
#include "lvmd/model/available.hpp"
#include "tests/system/loop_group.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd::system_tests;
namespace lvm = lvmd::lvm;
namespace model = lvmd::model;
using Words = std::vector<std::string>;

namespace {

constexpr const char* kGroup = "vg_scattered";
constexpr std::uint64_t kExtent = std::uint64_t{256} << 10U;
constexpr int kPvExtents = 40;

// Each PV has 40 extents: LVM keeps the first MiB for itself.
class ScatteredGroup {
 public:
  explicit ScatteredGroup(int pvs)
      : group_{kGroup, pvs, {.device = "11M", .extent = "256k", .metadata = "512k"}} {
    for (int i = 0; i < pvs; ++i) devices_.push_back(group_.device(i));
  }

  [[nodiscard]] const LoopGroup& group() const { return group_; }
  [[nodiscard]] const Words& devices() const { return devices_; }

  // Takes pieces of each PV at random.
  void scatter(std::mt19937& random) {
    const auto number = [&random](int from, int to) {
      return std::uniform_int_distribution{from, to}(random);
    };
    Words ranges;
    int taken = 0;
    for (const std::string& device : devices_)
      for (int at = number(0, 12); at < kPvExtents - 8;) {
        const int length = number(1, 6);
        ranges.push_back(fmt::format("{}:{}-{}", device, at, at + length - 1));
        taken += length;
        at += length + number(1, 12);
      }
    must(fmt::format("lvcreate -q -an -Zn -Wn -n taken -l {} {} {}", taken, kGroup,
                     fmt::join(ranges, " ")));
  }

  // As LVM reports it: the PVs in the group's order with their free areas.
  [[nodiscard]] model::VolumeGroup state() const {
    model::VolumeGroup group{.id = {},
                             .name = kGroup,
                             .extent_size = {kExtent},
                             .physical_volumes = {},
                             .logical_volumes = {}};
    for (const std::string& device : group_.access().devices) {
      model::PhysicalVolume pv;
      pv.id = device;
      pv.device = device;
      std::istringstream segments{
          output_of(fmt::format("pvs --noheadings --segments -o pvseg_start,pvseg_size,lv_name "
                                "--separator ' ' {} | sort -n",
                                device))};
      for (std::string line; std::getline(segments, line);) {
        std::istringstream fields{line};
        std::uint64_t start = 0;
        std::uint64_t size = 0;
        std::string lv;
        fields >> start >> size >> lv;
        pv.size.value += size;
        if (!lv.empty()) continue;
        pv.free.value += size;
        pv.free_areas.push_back({size});
      }
      group.physical_volumes.push_back(std::move(pv));
    }
    return group;
  }

 private:
  LoopGroup group_;
  Words devices_;
};

// How lvcreate ends, by LVM's library, which is in a hurry where the program isn't: 0, or 5 when it
// refuses.
int lvcreate(lvm::LvmRunner& lvm, const Words& words, std::uint64_t extents) {
  Words options;
  Words devices;
  for (const std::string& word : words) (word.starts_with('/') ? devices : options).push_back(word);
  lvm::LvmCommand command{"lvcreate"};
  command.flag("-y").flag("--test").option("-n", "probe").option("-l", std::to_string(extents));
  const auto outcome = lvm.run(command.configured(options).operand(kGroup).configured(devices));
  REQUIRE(outcome);
  UNSCOPED_INFO(fmt::format("lvcreate of {}: {}", extents, outcome->explanation()));
  return outcome->exit_code;
}

std::string describe(const model::VolumeGroup& group) {
  Words areas;
  for (const model::PhysicalVolume& pv : group.physical_volumes) {
    Words lengths;
    for (const model::Extents area : pv.free_areas) lengths.push_back(std::to_string(area.value));
    areas.push_back(fmt::format("{}", fmt::join(lengths, "+")));
  }
  return fmt::format("{}", fmt::join(areas, ", "));
}

std::uint64_t free_of(const model::VolumeGroup& group) {
  std::uint64_t extents = 0;
  for (const model::PhysicalVolume& pv : group.physical_volumes) extents += pv.free.value;
  return extents;
}

// Of groups with 3 to 6 PVs, in turn.
void check_offers(unsigned seed, int rounds) {
  std::mt19937 random{seed};
  const auto lvm = lvm::LvmSession::open();
  REQUIRE(lvm);
  for (int round = 0; round < rounds; ++round) {
    ScatteredGroup group{3 + static_cast<int>((seed + static_cast<unsigned>(round)) % 4)};
    group.scatter(random);
    const model::VolumeGroup state = group.state();
    const std::string first = group.devices().front();
    const std::string last = group.devices().back();
    const std::vector<Words> layouts{
        {},
        {"-i2"},
        {"-i3", "-I64k"},
        {"-m1"},
        {"-m2", "--nosync"},
        {"--type=raid0", "-i2"},
        {"--type=raid5", "-i2"},
        {"--type=raid6", "-i3"},
        {"--type=raid10", "-i2", "-m1"},
        {"--type=mirror", "-m1"},
        {"--type=mirror", "-m1", "--mirrorlog=core"},
        {"--alloc=contiguous"},
        {"--alloc=cling", "-i2"},
        {"-i2", last, first},
    };
    for (const Words& words : layouts) {
      model::DeviceClass device_class;
      device_class.spare = {0};
      device_class.lvcreate_options = words;
      const auto available = model::available(state, device_class);
      REQUIRE(available);
      const std::uint64_t extents = available->value / kExtent;
      const model::Layout layout = model::layout_of(words);
      const std::uint64_t row = layout.stripes;
      INFO(fmt::format("seed {}, round {}: {} of [{}]: {} extents", seed, round,
                       fmt::join(words, " "), describe(state), extents));
      if (extents > 0) CHECK(lvcreate(**lvm, words, extents) == 0);
      // Where nothing but a mirror's log has no room, LVM makes the volume smaller than asked and
      // says nothing of it: with a log, what there are no extents for needs no question.
      const std::uint64_t needed = (extents / row + 1) * layout.areas() + layout.logs;
      if (layout.logs == 0 || needed <= free_of(state))
        CHECK(lvcreate(**lvm, words, extents + row) == 5);
    }
  }
}

}  // namespace

TEST_CASE("exactly what lvmd offers for a layout can be had from lvcreate [P-AVAIL-20]",
          "[system]") {
  // It has a mirror whose log takes the last extent.
  check_offers(474645343, 1);
}

TEST_CASE("so it is in many groups [P-AVAIL-20]", "[.][long]") {
  check_offers(7, 1);
  check_offers(std::random_device{}(), 11);
}

TEST_CASE("LVM makes nothing in a group that misses a PV, and removes there [P-STATE-5]",
          "[system]") {
  const auto lvm = lvm::LvmSession::open();
  REQUIRE(lvm);
  const ScatteredGroup group{3};
  must(fmt::format("lvcreate -q -an -Zn -Wn -n stays -l 2 {} {}", kGroup, group.devices()[0]));
  group.group().detach(2);
  CHECK(eventually([&] {
    return shell(fmt::format("vgs --noheadings -o vg_missing_pv_count {} 2>/dev/null | grep -qw 1",
                             kGroup))
               .exit_code == 0;
  }));
  CHECK(lvcreate(**lvm, {}, 1) == 5);
  CHECK(shell(fmt::format("lvremove -q -y {}/stays", kGroup)).exit_code == 0);
  must(fmt::format("vgreduce -q --removemissing {}", kGroup));
}
