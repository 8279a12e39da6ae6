#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "lvmd/volumes/worker/udev_removals.hpp"

using namespace lvmd::volumes::worker;
using std::chrono_literals::operator""s;

namespace {

using lvmd::model::DeviceState;
using lvmd::model::LogicalVolume;

constexpr DeviceState kFive{.major = 253, .minor = 5};
constexpr DeviceState kSix{.major = 253, .minor = 6};

LogicalVolume volume(const std::string& name, const DeviceState& device) {
  LogicalVolume lv;
  lv.name = name;
  lv.device = device;
  return lv;
}

// The messages of kernel and udev, udevd's state, and a clock.
class Stage {
 public:
  UdevRemovals removals() {
    return UdevRemovals{[this] { return std::exchange(received_, {}); }, [this] { return busy; },
                        [this] { return now; }};
  }
  // The kernel sends an event. Returns its number.
  std::uint64_t send(const std::string& action, unsigned minor) {
    received_.events.push_back(event(action, minor, ++seqnum_));
    return seqnum_;
  }
  void handle(unsigned minor, std::uint64_t seqnum) {
    auto handled = event("any", minor, seqnum);
    handled.handled = true;
    received_.events.push_back(handled);
  }
  void lose() { received_.lost = true; }

  bool busy = false;
  UdevRemovals::Clock::time_point now{};

 private:
  static lvmd::devmapper::BlockEvent event(const std::string& action, unsigned minor,
                                           std::uint64_t seqnum) {
    return {.action = action,
            .devname = "dm-" + std::to_string(minor),
            .dm_name = "",
            .dm_uuid = "",
            .major = 253,
            .minor = minor,
            .seqnum = seqnum};
  }

  lvmd::devmapper::BlockEvents received_;
  std::uint64_t seqnum_ = 100;
};

}  // namespace

TEST_CASE("a number is free when udev has handled the removal of its device [P-CREATE-11]") {
  Stage stage;
  UdevRemovals removals = stage.removals();
  const auto change = stage.send("change", 5);
  CHECK_FALSE(removals.has_removal_before(volume("new", kFive)));
  const auto removal = stage.send("remove", 5);
  stage.send("add", 5);
  CHECK(removals.has_removal_before(volume("new", kFive)));
  CHECK_FALSE(removals.has_removal_before(volume("new", kSix)));
  stage.handle(5, change);
  CHECK(removals.has_removal_before(volume("new", kFive)));
  stage.handle(5, removal);
  CHECK_FALSE(removals.has_removal_before(volume("new", kFive)));
}

TEST_CASE("a number that was used twice is free after the second removal [P-CREATE-11]") {
  Stage stage;
  UdevRemovals removals = stage.removals();
  const auto first = stage.send("remove", 5);
  removals.add("data", kFive);
  stage.send("add", 5);
  const auto second = stage.send("remove", 5);
  stage.handle(5, first);
  CHECK(removals.has_removal_before(volume("new", kFive)));
  CHECK(removals.has_removal_before(volume("data", kSix)));
  stage.handle(5, second);
  CHECK_FALSE(removals.has_removal_before(volume("new", kFive)));
  CHECK_FALSE(removals.has_removal_before(volume("data", kSix)));
}

TEST_CASE("a name is free when udev has handled the removal of its volume [P-CREATE-11]") {
  Stage stage;
  UdevRemovals removals = stage.removals();
  const auto removal = stage.send("remove", 5);
  removals.add("data", kFive);
  CHECK(removals.has_removal_before(volume("data", kSix)));
  CHECK_FALSE(removals.has_removal_before(volume("other", kSix)));
  stage.handle(5, removal);
  CHECK_FALSE(removals.has_removal_before(volume("data", kSix)));
  // Another device gets the number.
  stage.send("remove", 5);
  removals.add("other", kFive);
  CHECK_FALSE(removals.has_removal_before(volume("data", kSix)));
}

TEST_CASE("events before the start and lost events are handled when udev is idle [P-CREATE-11]") {
  Stage stage;
  stage.busy = true;
  UdevRemovals removals = stage.removals();
  CHECK(removals.has_removal_before(volume("new", kFive)));
  stage.busy = false;
  CHECK_FALSE(removals.has_removal_before(volume("new", kFive)));
  stage.busy = true;
  CHECK_FALSE(removals.has_removal_before(volume("new", kFive)));
  stage.lose();
  CHECK(removals.has_removal_before(volume("new", kFive)));
  stage.now += UdevRemovals::kUnknown;
  CHECK_FALSE(removals.has_removal_before(volume("new", kFive)));
}
