#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/mounts/service/use_watch.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts;
using namespace std::chrono_literals;

namespace {

constexpr auto kLimit = 20s;

class RecordingSubscriber final : public server::Broadcast<v1::VolumesInUse>::Subscriber {
 public:
  // The next message; absent when none arrives in time.
  std::optional<v1::VolumesInUse> next() {
    std::unique_lock lock{mutex_};
    if (!changed_.wait_for(lock, kLimit, [this] { return !messages_.empty(); }))
      return std::nullopt;
    v1::VolumesInUse message = messages_.front();
    messages_.pop_front();
    return message;
  }

 private:
  void offer(std::shared_ptr<const v1::VolumesInUse> message) override {
    const std::lock_guard lock{mutex_};
    messages_.push_back(*message);
    changed_.notify_all();
  }
  void end(const Error& /*reason*/) override {}

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<v1::VolumesInUse> messages_;
};

// A mount table and a sysfs with the volumes vg0/one (253:1) and vg1/other (253:2).
class Node {
 public:
  Node() {
    std::filesystem::create_directories(tree_.path / "disk");
    std::filesystem::create_directory_symlink(tree_.path / "disk", tree_.path / "kubelet");
    static_cast<void>(tree_.write("dev/block/253:1/dm/name", "vg0-one\n"));
    static_cast<void>(tree_.write("dev/block/253:2/dm/name", "vg1-other\n"));
    mount({});
  }

  // Mounts these devices for one pod each.
  void mount(const std::vector<std::string>& devices) {
    std::string table = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n";
    for (std::size_t i = 0; i < devices.size(); ++i)
      table += fmt::format(
          "{} 1 {} / {}/disk/pods/pod-{}/volumes/kubernetes.io~csi/pv/mount rw - ext4 /dev/x rw\n",
          i + 10, devices[i], tree_.path.string(), i);
    static_cast<void>(tree_.write("mountinfo", table));
  }

  [[nodiscard]] model::KubeletRoot kubelet() const {
    return {.path = tree_.path / "kubelet", .driver = "topolvm.io"};
  }
  [[nodiscard]] KernelTables tables() const {
    return {.mountinfo = tree_.path / "mountinfo", .sysfs = tree_.path};
  }

 private:
  ScratchTree tree_;
};

bool is_vg0(std::string_view group) { return group == "vg0"; }

}  // namespace

TEST_CASE("without a CSI driver there is one empty message [P-MOUNT-20]", "[mount]") {
  CallFailures failures;
  UseWatch watch{std::nullopt, failures, is_vg0};
  REQUIRE(watch.start());
  RecordingSubscriber subscriber;
  watch.feed().add(subscriber);
  const auto message = subscriber.next();
  REQUIRE(message);
  CHECK(message->csi_driver().empty());
  CHECK(message->volumes().empty());
  watch.refresh();
  watch.feed().remove(subscriber);
}

TEST_CASE(
    "the present state comes at once, then each change, in configured groups only "
    "[P-MOUNT-20, P-MOUNT-21, P-MOUNT-23]",
    "[mount]") {
  Node node;
  node.mount({"253:1", "253:2", "253:9"});
  CallFailures failures;
  UseWatch watch{node.kubelet(), failures, is_vg0, node.tables()};
  REQUIRE(watch.start());
  RecordingSubscriber subscriber;
  watch.feed().add(subscriber);
  auto message = subscriber.next();
  REQUIRE(message);
  CHECK(message->csi_driver() == "topolvm.io");
  REQUIRE(message->volumes_size() == 1);
  CHECK(message->volumes(0).name() == "one");
  CHECK(message->volumes(0).publications() == 1);

  node.mount({"253:1", "253:1"});
  watch.refresh();
  message = subscriber.next();
  REQUIRE(message);
  CHECK(message->volumes(0).publications() == 2);

  failures.record("one", CsiCall::kUnpublish, make_error(Code::kInternal, "broken"));
  message = subscriber.next();
  REQUIRE(message);
  REQUIRE(message->volumes(0).failures_size() == 1);
  CHECK(message->volumes(0).failures(0).message() == "broken");
  failures.succeeded("one", CsiCall::kUnpublish);
  message = subscriber.next();
  REQUIRE(message);
  CHECK(message->volumes(0).failures().empty());
  watch.feed().remove(subscriber);
}

TEST_CASE("a mount table that is missing at the start is an error", "[mount]") {
  const Node node;
  CallFailures failures;
  UseWatch watch{node.kubelet(), failures, is_vg0, {.mountinfo = "/nonexistent/mountinfo"}};
  CHECK_FALSE(watch.start());
}
