#include <catch2/catch.hpp>
#include <chrono>
#include <future>

#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "lvmd/volumes/service/worker_client.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;
using namespace lvmd::server;
using namespace std::chrono_literals;

namespace {

constexpr auto kReplyLimit = 10s;

// A worker client; the test acts as its worker.
struct ClientRig {
  ReadModel model{{"vg0"}};
  Metrics metrics;
  std::optional<Step> observer;
  WorkerClient client{"vg0",
                      model,
                      metrics,
                      {.observer = [this] { return observer; },
                       .change_begun = [] {},
                       .changed = [] {},
                       .step_begun = [] {}}};
  ipc::Channel worker;

  void attach() {
    auto ends = ipc::make_pair();
    REQUIRE(ends);
    worker = std::move(ends->second);
    client.attach(std::move(ends->first));
  }

  std::future<ChangeOutcome> create(const std::string& name) {
    internal::WorkerRequest request;
    request.mutable_create()->set_name(name);
    auto promise = std::make_shared<std::promise<ChangeOutcome>>();
    client.submit(request, "CreateLV vg0/" + name,
                  [promise](const ChangeOutcome& outcome) { promise->set_value(outcome); });
    return promise->get_future();
  }

  internal::WorkerRequest receive() {
    const auto received = worker.receive<internal::WorkerRequest>();
    REQUIRE(received);
    REQUIRE(*received);
    return (*received)->message;
  }

  void reply(std::uint64_t id, std::optional<model::VgState> state = {}) {
    internal::WorkerEvent event;
    event.mutable_reply()->set_id(id);
    event.mutable_reply()->mutable_removed();
    if (state) *event.mutable_reply()->mutable_state() = ipc::to_proto(*state);
    REQUIRE(worker.send(event));
  }
};

ChangeOutcome outcome_of(std::future<ChangeOutcome>& future) {
  REQUIRE(future.wait_for(kReplyLimit) == std::future_status::ready);
  return future.get();
}

}  // namespace

TEST_CASE("without a worker a change is unavailable at once [P-STATE-4]", "[server]") {
  ClientRig rig;
  auto change = rig.create("one");
  const auto outcome = outcome_of(change);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kUnavailable);
  CHECK(outcome.error().message.find("vg0") != std::string::npos);
}

TEST_CASE("the state of a reply is in the model before the call is answered [P-RUN-3]",
          "[server]") {
  ClientRig rig;
  rig.attach();
  auto change = rig.create("one");
  rig.reply(rig.receive().id(), sample_state("vg0", 10, 42));
  CHECK(outcome_of(change));
  REQUIRE(rig.model.group("vg0"));
  CHECK((*rig.model.group("vg0"))->physical_volumes[0].free.value == 42);
}

TEST_CASE("identical concurrent requests are one change with one answer [P-RUN-20]", "[server]") {
  ClientRig rig;
  rig.attach();
  auto first = rig.create("one");
  auto second = rig.create("one");
  auto other = rig.create("two");
  auto other_again = rig.create("two");
  rig.reply(rig.receive().id());
  CHECK(outcome_of(first));
  CHECK(outcome_of(second));
  const auto request = rig.receive();
  CHECK(request.create().name() == "two");
  rig.reply(request.id());
  CHECK(outcome_of(other));
  CHECK(outcome_of(other_again));
  // After the answer, the same request is a new change.
  auto later = rig.create("one");
  rig.reply(rig.receive().id());
  CHECK(outcome_of(later));
}

TEST_CASE(
    "a change above the queue limit is unavailable, and the error names the limit [P-SOCK-24]",
    "[server]") {
  ClientRig rig;
  rig.attach();
  std::vector<std::future<ChangeOutcome>> waiting;
  waiting.reserve(kMaxQueuedChanges + 1);
  for (std::size_t i = 0; i < kMaxQueuedChanges; ++i)
    waiting.push_back(rig.create(std::to_string(i)));
  // An identical change joins a queued one and doesn't count.
  waiting.push_back(rig.create("0"));
  auto refused = rig.create("one more");
  const auto outcome = outcome_of(refused);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kUnavailable);
  CHECK(outcome.error().message.find(std::to_string(kMaxQueuedChanges)) != std::string::npos);
  CHECK(waiting.front().wait_for(0s) == std::future_status::timeout);
}

TEST_CASE("the worker gets one request at a time, in the order of arrival [P-RUN-1]", "[server]") {
  ClientRig rig;
  rig.attach();
  static_cast<void>(rig.create("one"));
  static_cast<void>(rig.create("two"));
  const auto request = rig.receive();
  CHECK(request.create().name() == "one");
  const auto more = rig.worker.wait_readable(0ms);
  REQUIRE(more);
  CHECK_FALSE(*more);
  rig.reply(request.id());
  CHECK(rig.receive().create().name() == "two");
}

TEST_CASE("when the worker ends, all waiting changes are unavailable", "[server]") {
  ClientRig rig;
  rig.attach();
  auto running = rig.create("one");
  auto waiting = rig.create("two");
  rig.worker = {};
  for (auto* const change : {&running, &waiting}) {
    const auto outcome = outcome_of(*change);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().code == Code::kUnavailable);
  }
  CHECK_FALSE(rig.client.is_attached());
  rig.attach();
  auto next = rig.create("one");
  rig.reply(rig.receive().id());
  CHECK(outcome_of(next));
}

TEST_CASE("a reply to an unknown request is dropped", "[server]") {
  ClientRig rig;
  rig.attach();
  auto change = rig.create("one");
  const auto id = rig.receive().id();
  rig.reply(4711);
  rig.reply(id);
  CHECK(outcome_of(change));
}

TEST_CASE("a state of another group is not used and ends the channel", "[server]") {
  ClientRig rig;
  rig.attach();
  auto change = rig.create("one");
  static_cast<void>(rig.receive());
  rig.reply(4711, sample_state("vg1", 10, 1));
  const auto outcome = outcome_of(change);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kUnavailable);
  CHECK(rig.model.find("vg0") == nullptr);
}

TEST_CASE("a broken frame ends the channel, not the server", "[server]") {
  ClientRig rig;
  rig.attach();
  auto change = rig.create("one");
  internal::WorkerBusy not_an_event;
  not_an_event.set_command(std::string(64, '\xff'));
  // The bytes of another message: a field number with a wrong type for an event.
  REQUIRE(rig.worker.send(not_an_event));
  const auto outcome = outcome_of(change);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kUnavailable);
}

TEST_CASE("an error of the worker reaches the caller unchanged", "[server]") {
  ClientRig rig;
  rig.attach();
  auto change = rig.create("one");
  internal::WorkerEvent event;
  event.mutable_reply()->set_id(rig.receive().id());
  *event.mutable_reply()->mutable_error() = ipc::to_proto(
      Error{.code = Code::kAborted, .message = "lock held by vgs", .rollback = "left one"});
  REQUIRE(rig.worker.send(event));
  const auto outcome = outcome_of(change);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kAborted);
  CHECK(outcome.error().rollback == "left one");
}

TEST_CASE("while a disk of the group does not respond, changes are refused at once [P-STATE-4]",
          "[server]") {
  ClientRig rig;
  rig.attach();
  rig.observer = Step{.what = "read /dev/sdb",
                      .since = {monotonic_now().nanoseconds - std::chrono::nanoseconds{9s}.count()},
                      .limit = 8s};
  auto refused = rig.create("a");
  const auto outcome = outcome_of(refused);
  REQUIRE_FALSE(outcome);
  CHECK(outcome.error().code == Code::kUnavailable);
  CHECK(outcome.error().reason == reason::kCommandStuck);
  CHECK_THAT(outcome.error().message, Catch::Contains("read /dev/sdb"));
  rig.observer.reset();
  auto taken = rig.create("b");
  rig.reply(rig.receive().id());
  CHECK(outcome_of(taken));
}
