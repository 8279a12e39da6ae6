#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "lvmd/mounts/service/call_failures.hpp"

using namespace lvmd;
using namespace lvmd::mounts;
using namespace std::chrono_literals;

namespace {

const CallFailures::Time kStart{1h};

Error busy(const std::string& message = "pid 7 uses it") {
  return make_error(Code::kFailedPrecondition, "{}", message).because(reason::kMountBusy);
}

// "volume call", in the order of the list.
std::vector<std::string> listed(CallFailures& failures, CallFailures::Time now = kStart) {
  std::vector<std::string> names;
  for (const auto& failure : failures.list(now))
    names.push_back(failure.volume + " " + std::string{name_of(failure.call)});
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a failed call is listed with its reason until it succeeds [P-MOUNT-22]", "[mount]") {
  CallFailures failures;
  failures.record("one", CsiCall::kUnpublish, busy(), kStart);
  REQUIRE(failures.list(kStart).size() == 1);
  CHECK(failures.list(kStart).front() == CallFailures::Failure{.volume = "one",
                                                               .call = CsiCall::kUnpublish,
                                                               .reason = "MOUNT_BUSY",
                                                               .message = "pid 7 uses it"});
  failures.succeeded("two", CsiCall::kUnpublish);
  failures.succeeded("one", CsiCall::kExpand);
  CHECK(listed(failures) == Names{"one NodeUnpublishVolume"});
  failures.succeeded("one", CsiCall::kUnpublish);
  CHECK(listed(failures).empty());
}

TEST_CASE("a call is listed once, with its last failure [P-MOUNT-22]", "[mount]") {
  CallFailures failures;
  failures.record("one", CsiCall::kStage, make_error(Code::kInternal, "first"), kStart);
  failures.record("one", CsiCall::kStage, make_error(Code::kInternal, "second"), kStart);
  REQUIRE(failures.list(kStart).size() == 1);
  CHECK(failures.list(kStart).front().message == "second");
  CHECK(failures.list(kStart).front().reason == "INTERNAL");
}

TEST_CASE("a call that only met another call of the volume has not failed [P-MOUNT-22]",
          "[mount]") {
  CallFailures failures;
  failures.record("one", CsiCall::kStage, make_error(Code::kAborted, "in progress"), kStart);
  CHECK(listed(failures).empty());
}

TEST_CASE("a call that waits for a restore has not failed [P-MOUNT-22]", "[mount]") {
  CallFailures failures;
  failures.record("one", CsiCall::kStage,
                  make_error(Code::kUnavailable, "not whole").because(reason::kRestoreUnderWay),
                  kStart);
  CHECK(listed(failures).empty());
}

TEST_CASE("a success ends the failures of the calls that it overtakes [P-MOUNT-22]", "[mount]") {
  const auto left_after = [](CsiCall success) {
    CallFailures failures;
    for (const CsiCall call : {CsiCall::kStage, CsiCall::kPublish, CsiCall::kExpand,
                               CsiCall::kUnpublish, CsiCall::kUnstage})
      failures.record("v", call, busy(), kStart);
    failures.succeeded("v", success);
    return listed(failures);
  };
  CHECK(left_after(CsiCall::kStage) ==
        Names{"v NodePublishVolume", "v NodeExpandVolume", "v NodeUnpublishVolume"});
  CHECK(left_after(CsiCall::kPublish) == Names{"v NodeExpandVolume"});
  CHECK(left_after(CsiCall::kExpand) == Names{"v NodeStageVolume", "v NodePublishVolume",
                                              "v NodeUnpublishVolume", "v NodeUnstageVolume"});
  CHECK(left_after(CsiCall::kUnpublish) ==
        Names{"v NodeStageVolume", "v NodeExpandVolume", "v NodeUnstageVolume"});
  CHECK(left_after(CsiCall::kUnstage).empty());
}

TEST_CASE("a failure that nobody repeats is dropped after 10 minutes [P-MOUNT-22]", "[mount]") {
  CallFailures failures;
  CHECK_FALSE(failures.next_end());
  failures.record("one", CsiCall::kStage, busy(), kStart);
  failures.record("two", CsiCall::kStage, busy(), kStart + 1min);
  CHECK(failures.next_end() == kStart + 10min);
  failures.record("one", CsiCall::kStage, busy(), kStart + 2min);
  CHECK(failures.next_end() == kStart + 11min);
  CHECK(listed(failures, kStart + 11min - 1ns).size() == 2);
  CHECK(listed(failures, kStart + 11min) == Names{"one NodeStageVolume"});
  CHECK(listed(failures, kStart + 12min).empty());
}

TEST_CASE("the number of failures is bounded, and the oldest one goes first", "[mount]") {
  CallFailures failures;
  for (std::size_t i = 0; i <= CallFailures::kMaxFailures; ++i)
    failures.record(std::to_string(i), CsiCall::kStage, busy(), kStart + std::chrono::seconds(i));
  const auto list = failures.list(kStart);
  CHECK(list.size() == CallFailures::kMaxFailures);
  CHECK(std::ranges::count(list, "0", &CallFailures::Failure::volume) == 0);
}

TEST_CASE("each change of the failures is reported", "[mount]") {
  CallFailures failures;
  int changes = 0;
  failures.on_change([&] { ++changes; });
  failures.succeeded("one", CsiCall::kStage);
  CHECK(changes == 0);
  failures.record("one", CsiCall::kStage, busy());
  CHECK(changes == 1);
  failures.succeeded("one", CsiCall::kStage);
  CHECK(changes == 2);
}
