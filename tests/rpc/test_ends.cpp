// The answers to callers when lvmd ends before their calls: never CANCELLED, which is reserved for
// calls that the caller cancelled.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "tests/contract/crowd.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kChanges = 64;
// The time that the crowd calls before lvmd ends, and after it.
constexpr auto kBefore = 300ms;
constexpr auto kAfter = 700ms;

// Calls and streams of every kind that end only because lvmd ends.
class Waiting {
 public:
  explicit Waiting(fakes::FakeNode& node)
      : client_(node.socket()), reader_(node.read_only_socket()) {
    REQUIRE(client_.create(create_request("thick", "volume", kExtent)).ok());
    node.worker("vg_thick").hold();
    node.mounters().hold();
    for (std::size_t i = 0; i < kChanges; ++i)
      changes_.push_back(begin([i, socket = node.socket()] {
        Client caller{socket};
        return caller.create(create_request("thick", fmt::format("waits-{}", i), kExtent));
      }));
    mount_ = begin([socket = node.socket()] {
      Client caller{socket};
      v1::MountRequest request;
      request.set_name("volume");
      return caller.mount(request);
    });
    REQUIRE(node.mounters().wait_for_jobs(1, kLimit));
    REQUIRE(node.worker("vg_thick").wait_for_requests(2, kLimit));
    slow_ = client_.watch_without_reading();
    watch_ = client_.watch();
    health_ = reader_.watch_health("");
    REQUIRE(watch_->next(kLimit));
    REQUIRE(health_->next(kLimit));
    const auto all = fmt::format("lvmd_changes_queued{{volume_group=\"vg_thick\"}} {}\n", kChanges);
    REQUIRE(
        eventually([&] { return scrape(node.metrics_socket()).find(all) != std::string::npos; }));
  }

  // The unexpected ends; empty: none. With `reason`, each error must have that reason.
  [[nodiscard]] std::string faults(const std::string& reason) {
    std::string faults;
    const auto judge = [&](const std::string& call, const auto& answer) {
      if (answer.code != Code::kUnavailable || (!reason.empty() && answer.reason != reason))
        faults += fmt::format("{}: {} {}: {}\n", call, to_string(answer.code), answer.reason,
                              answer.message);
    };
    for (auto& change : changes_) judge("CreateLV", change.get());
    judge("Mount", mount_.get());
    slow_->start_reading();
    for (auto* const stream : {slow_.get(), watch_.get()}) {
      const auto end = stream->end(kLimit);
      if (end)
        judge("Watch", *end);
      else
        faults += "a Watch has not ended\n";
    }
    if (const auto end = health_->end(kLimit))
      judge("Health.Watch", *end);
    else
      faults += "Health.Watch has not ended\n";
    return faults;
  }

 private:
  Client client_;
  Client reader_;
  std::vector<std::future<Answer<proto::CreateLVResponse>>> changes_;
  std::future<Answer<v1::MountResponse>> mount_;
  std::unique_ptr<Stream<proto::WatchResponse>> slow_;
  std::unique_ptr<Stream<proto::WatchResponse>> watch_;
  std::unique_ptr<Stream<Health>> health_;
};

// Callers that continue to call while lvmd ends, so that some calls meet each step of the end.
void end_amid_a_crowd(const std::function<void(fakes::FakeNode&)>& end) {
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    const auto node = start_node();
    Crowd crowd{node->socket(), "thick", "crowd"};
    REQUIRE(eventually([&] { return crowd.count(Code::kOk) > 0; }));
    std::this_thread::sleep_for(kBefore);
    end(*node);
    CHECK(eventually([&] { return crowd.count(Code::kUnavailable) > 0; }));
    std::this_thread::sleep_for(kAfter);
    crowd.end();
    INFO(fmt::format("{}", crowd.ends()));
    INFO(crowd.example(Code::kCancelled));
    CHECK(crowd.count(Code::kCancelled) == 0);
    INFO(crowd.example(Code::kUnknown));
    CHECK(crowd.count(Code::kUnknown) == 0);
  }
}

}  // namespace

TEST_CASE("waiting calls end with UNAVAILABLE when the supervisor dies [P-STOP-4]", "[rpc]") {
  const auto node = start_node_with_metrics();
  Waiting waiting{*node};
  node->close_control_channel();
  CHECK(node->wait_for_exit(5s) == 0);
  const std::string faults = waiting.faults("STOPPING");
  CAPTURE(faults);
  CHECK(faults.empty());
}

TEST_CASE("waiting calls end with UNAVAILABLE when the supervisor dies during a stop [P-STOP-4]",
          "[rpc]") {
  const auto node = start_node_with_metrics();
  Waiting waiting{*node};
  REQUIRE(node->send_stop());
  CHECK_FALSE(node->wait_for_exit(300ms));
  node->close_control_channel();
  CHECK(node->wait_for_exit(5s) == 0);
  const std::string faults = waiting.faults("STOPPING");
  CAPTURE(faults);
  CHECK(faults.empty());
}

TEST_CASE("waiting calls end with UNAVAILABLE when the server is killed [P-STOP-4]", "[rpc]") {
  const auto node = start_node_with_metrics();
  Waiting waiting{*node};
  node->kill_server();
  REQUIRE(node->wait_for_exit(5s));
  const std::string faults = waiting.faults("");
  CAPTURE(faults);
  CHECK(faults.empty());
}

TEST_CASE("none of many calls ends with CANCELLED when lvmd stops [P-STOP-4]", "[rpc]") {
  end_amid_a_crowd([](fakes::FakeNode& node) { REQUIRE(node.send_stop()); });
}

TEST_CASE("none of many calls ends with CANCELLED when the supervisor dies [P-STOP-4]", "[rpc]") {
  end_amid_a_crowd([](fakes::FakeNode& node) { node.close_control_channel(); });
}

TEST_CASE("none of many calls ends with CANCELLED when the server is killed [P-STOP-4]", "[rpc]") {
  end_amid_a_crowd([](fakes::FakeNode& node) { node.kill_server(); });
}
