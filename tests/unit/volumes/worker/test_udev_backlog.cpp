#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "lvmd/volumes/worker/udev_backlog.hpp"

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
class UdevBacklogStage {
 public:
  // Was started long enough ago for udevd to have seen earlier events.
  UdevBacklog backlog() {
    UdevBacklog backlog{[this] { return std::exchange(received_, {}); }, [this] { return busy; },
                        [this] { return now; }};
    now += UdevBacklog::kUnseen;
    return backlog;
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
  UdevBacklog::Clock::time_point now{};

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
  UdevBacklogStage stage;
  UdevBacklog backlog = stage.backlog();
  const auto change = stage.send("change", 5);
  CHECK_FALSE(backlog.has_removal_before(volume("new", kFive)));
  const auto removal = stage.send("remove", 5);
  stage.send("add", 5);
  CHECK(backlog.has_removal_before(volume("new", kFive)));
  CHECK_FALSE(backlog.has_removal_before(volume("new", kSix)));
  stage.handle(5, change);
  CHECK(backlog.has_removal_before(volume("new", kFive)));
  stage.handle(5, removal);
  CHECK_FALSE(backlog.has_removal_before(volume("new", kFive)));
}

TEST_CASE("a number that was used twice is free after the second removal [P-CREATE-11]") {
  UdevBacklogStage stage;
  UdevBacklog backlog = stage.backlog();
  const auto first = stage.send("remove", 5);
  backlog.add_removed("data", kFive);
  stage.send("add", 5);
  const auto second = stage.send("remove", 5);
  stage.handle(5, first);
  CHECK(backlog.has_removal_before(volume("new", kFive)));
  CHECK(backlog.has_removal_before(volume("data", kSix)));
  stage.handle(5, second);
  CHECK_FALSE(backlog.has_removal_before(volume("new", kFive)));
  CHECK_FALSE(backlog.has_removal_before(volume("data", kSix)));
}

TEST_CASE("a name is free when udev has handled the removal of its volume [P-CREATE-11]") {
  UdevBacklogStage stage;
  UdevBacklog backlog = stage.backlog();
  const auto removal = stage.send("remove", 5);
  backlog.add_removed("data", kFive);
  CHECK(backlog.has_removal_before(volume("data", kSix)));
  CHECK_FALSE(backlog.has_removal_before(volume("other", kSix)));
  stage.handle(5, removal);
  CHECK_FALSE(backlog.has_removal_before(volume("data", kSix)));
  // Another device gets the number.
  stage.send("remove", 5);
  backlog.add_removed("other", kFive);
  CHECK_FALSE(backlog.has_removal_before(volume("data", kSix)));
}

TEST_CASE("events before the start and lost events are handled when udev is idle [P-CREATE-11]") {
  UdevBacklogStage stage;
  stage.busy = true;
  UdevBacklog backlog = stage.backlog();
  CHECK(backlog.has_removal_before(volume("new", kFive)));
  stage.busy = false;
  CHECK_FALSE(backlog.has_removal_before(volume("new", kFive)));
  stage.busy = true;
  CHECK_FALSE(backlog.has_removal_before(volume("new", kFive)));
  stage.lose();
  CHECK(backlog.has_removal_before(volume("new", kFive)));
  stage.now += UdevBacklog::kUnknown;
  CHECK_FALSE(backlog.has_removal_before(volume("new", kFive)));
}

TEST_CASE("udevd may not have seen the events directly before a loss [P-CREATE-11]") {
  UdevBacklogStage stage;
  UdevBacklog backlog = stage.backlog();
  stage.lose();
  CHECK(backlog.has_removal_before(volume("new", kFive)));
  stage.now += UdevBacklog::kUnseen;
  CHECK_FALSE(backlog.has_removal_before(volume("new", kFive)));
}

TEST_CASE("the number of events has a limit, for a host without udevd [P-RUN-28]") {
  UdevBacklogStage stage;
  UdevBacklog backlog = stage.backlog();
  for (std::size_t event = 0; event < UdevBacklog::kMost; ++event) stage.send("change", 5);
  CHECK(backlog.size() == UdevBacklog::kMost);
  stage.send("change", 5);
  CHECK(backlog.size() == 0);
}

// The lost messages can be those of udev about events that were received.
TEST_CASE("events that came with a loss, or before it, do not stay [P-CREATE-11, P-RUN-28]") {
  UdevBacklogStage stage;
  UdevBacklog backlog = stage.backlog();
  stage.send("remove", 5);
  backlog.add_removed("data", kFive);
  CHECK(backlog.size() == 1);
  for (unsigned minor = 6; minor < 60; ++minor) stage.send("remove", minor);
  stage.lose();
  CHECK(backlog.size() == 0);
  stage.now += UdevBacklog::kUnseen;
  CHECK_FALSE(backlog.has_removal_before(volume("new", kSix)));
  CHECK_FALSE(backlog.has_removal_before(volume("data", kFive)));
  stage.send("remove", 5);
  CHECK(backlog.has_removal_before(volume("new", kFive)));
}

TEST_CASE("an event counts until udev has handled it or a later one of its device [P-RUN-28]") {
  UdevBacklogStage stage;
  UdevBacklog backlog = stage.backlog();
  CHECK(backlog.size() == 0);
  stage.send("add", 5);
  const auto change = stage.send("change", 5);
  stage.send("change", 5);
  const auto other = stage.send("change", 6);
  CHECK(backlog.size() == 4);
  stage.handle(5, change);
  CHECK(backlog.size() == 2);
  stage.handle(6, other);
  CHECK(backlog.size() == 1);
}

TEST_CASE("lost events and those before a stop of udevd do not count [P-RUN-28]") {
  UdevBacklogStage stage;
  UdevBacklog backlog = stage.backlog();
  const auto before = stage.send("change", 5);
  backlog.forget_events();
  CHECK(backlog.size() == 0);
  stage.send("change", 5);
  stage.handle(5, before);
  CHECK(backlog.size() == 1);
  stage.lose();
  CHECK(backlog.size() == 0);
}
