// The mark that lets a restore write: set before a mover is asked for, replaced before success is
// told. What a mover does is shown by its record alone.
#include <algorithm>
#include <catch2/catch.hpp>

#include "lvmd/model/ownership.hpp"
#include "tests/rpc/transfer_stage.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

const v1::TransferName kRestore = name_of(v1::OPERATION_RESTORE, "r");
constexpr const char* kGroup = "vg_thick";

class MarkStage : public TransferStage {
 public:
  // What the volume's marks are now.
  [[nodiscard]] std::vector<std::string> marks(const std::string& name = "source") {
    std::vector<std::string> marks;
    by_hand([&](fakes::FakeGroup& group) {
      for (const std::string& tag : group.group().find(name)->tags)
        if (model::private_key(tag).starts_with("restore")) marks.push_back(tag);
    });
    return marks;
  }
  void set_blank(bool blank) {
    by_hand([blank](fakes::FakeGroup& group) { group.set_blank("source", blank); });
  }
  // Returns when the server knows of the mark. It shows no mark, so a tag of a caller's goes along.
  void mark(const std::string& tag) {
    by_hand([&tag](fakes::FakeGroup& group) {
      internal::WorkerRequest request;
      request.mutable_tags()->set_name("source");
      request.mutable_tags()->set_device_class("thin");
      request.mutable_tags()->add_add(tag);
      request.mutable_tags()->add_add("marked");
      REQUIRE(group.apply(request));
    });
    REQUIRE(eventually([this] {
      const auto listed = client.list("thin");
      return listed.ok() && std::ranges::any_of(listed.response.volumes(), [](const auto& volume) {
               return volume.name() == "source" && std::ranges::count(volume.tags(), "marked") == 1;
             });
    }));
  }
  // The mark that the job of the last start has.
  [[nodiscard]] internal::RestoreMark told() const {
    const auto requests = node->movers().requests();
    REQUIRE_FALSE(requests.empty());
    return requests.back().start().mark();
  }
  [[nodiscard]] v1::Transfer shown() {
    const auto got = client.transfer(kRestore);
    REQUIRE(got.ok());
    return got.response;
  }
  [[nodiscard]] bool succeeds() {
    return eventually([this] { return shown().phase() == v1::PHASE_SUCCEEDED; });
  }

 private:
  template <typename Change>
  void by_hand(Change change) {
    REQUIRE(node->by_hand(kGroup, change));
  }
};

}  // namespace

TEST_CASE("a blank volume is marked before a mover is asked for [P-XFER-21]", "[rpc]") {
  MarkStage stage;
  stage.node->worker(kGroup).hold();
  auto begun = begin([&] { return stage.client.start_restore(restore_request()); });
  REQUIRE(stage.node->worker(kGroup).wait_for_requests(3, kLimit));
  CHECK(stage.node->movers().requests().empty());
  stage.node->worker(kGroup).release();
  REQUIRE(begun.get().ok());
  CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=r"});
  CHECK(stage.told() == internal::RESTORE_MARK_BEGUN);
  CHECK(stage.node->movers().requests().back().start().device().uuid().starts_with("LVM-"));
}

TEST_CASE("success is told when the mark is replaced, RUNNING until then [P-XFER-23]", "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  REQUIRE(stage.node->movers().run(key_of(kRestore)));
  stage.node->worker(kGroup).hold();
  stage.end(kRestore, v1::PHASE_SUCCEEDED);
  REQUIRE(stage.node->worker(kGroup).wait_for_requests(4, kLimit));
  CHECK(stage.shown().phase() == v1::PHASE_RUNNING);
  CHECK(stage.shown().step() == "completing");
  CHECK_FALSE(stage.shown().has_completion_time());
  CHECK(stage.client.transfers().response.transfers(0).phase() == v1::PHASE_RUNNING);
  // Neither a repetition nor a cancellation does anything to it.
  CHECK(stage.client.start_restore(restore_request()).response.phase() == v1::PHASE_RUNNING);
  CHECK(stage.client.cancel_transfer(kRestore).response.phase() == v1::PHASE_RUNNING);
  CHECK(stage.node->movers().requests().size() == 1);
  stage.node->worker(kGroup).release();
  CHECK(stage.succeeds());
  CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restored=r"});
  CHECK(stage.shown().has_completion_time());
  CHECK(stage.shown().step().empty());
}

TEST_CASE("a mark that can't be replaced is tried again, and takes no mover's place [P-XFER-23]",
          "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  SECTION("LVM refuses") {
    stage.node->worker(kGroup).fail_next(make_error(Code::kInternal, "no"));
    stage.end(kRestore, v1::PHASE_SUCCEEDED);
    CHECK(stage.succeeds());
  }
  SECTION("the group is away") {
    REQUIRE(stage.node->set_trouble(kGroup, make_error(Code::kUnavailable, "away")));
    stage.end(kRestore, v1::PHASE_SUCCEEDED);
    std::this_thread::sleep_for(1500ms);
    CHECK(stage.shown().phase() == v1::PHASE_RUNNING);
    CHECK(stage.client.delete_backup(delete_request("one")).ok());
    CHECK(stage.client.delete_backup(delete_request("two")).ok());
    REQUIRE(stage.node->set_trouble(kGroup, std::nullopt));
    CHECK(stage.succeeds());
  }
  CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restored=r"});
}

TEST_CASE("a volume that was removed meanwhile keeps no restore from its end [P-XFER-23]",
          "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  REQUIRE(stage.client.remove(remove_request("thin", "source")).ok());
  stage.end(kRestore, v1::PHASE_SUCCEEDED);
  CHECK(stage.succeeds());
}

TEST_CASE("a restore that failed or was cancelled is begun anew on its volume [P-XFER-21]",
          "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  stage.set_blank(false);
  stage.end(kRestore, GENERATE(v1::PHASE_FAILED, v1::PHASE_CANCELLED));
  CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=r"});
  const auto again = stage.client.start_restore(restore_request());
  REQUIRE(again.ok());
  CHECK(again.response.attempt() == 2);
  CHECK(stage.told() == internal::RESTORE_MARK_BEGUN);
}

TEST_CASE("what is not blank and not marked is not marked either [P-XFER-22]", "[rpc]") {
  MarkStage stage;
  stage.set_blank(false);
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  CHECK(stage.told() == internal::RESTORE_MARK_NONE);
  CHECK(stage.marks().empty());
  stage.end(kRestore, v1::PHASE_SUCCEEDED);
  CHECK(stage.succeeds());
  CHECK(stage.marks().empty());
}

TEST_CASE("a completed restore is told to the mover by the volume's own mark [P-XFER-22]",
          "[rpc]") {
  MarkStage stage;
  stage.mark("lvmd.v1:restored=r");
  SECTION("in use since") {
    stage.set_blank(false);
    REQUIRE(stage.client.start_restore(restore_request()).ok());
    CHECK(stage.told() == internal::RESTORE_MARK_COMPLETED);
    CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restored=r"});
  }
  SECTION("another restore") {
    stage.set_blank(false);
    REQUIRE(stage.client.start_restore(restore_request("other")).ok());
    CHECK(stage.told() == internal::RESTORE_MARK_NONE);
    CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restored=r"});
  }
  SECTION("blank again") {
    REQUIRE(stage.client.start_restore(restore_request("other")).ok());
    CHECK(stage.told() == internal::RESTORE_MARK_BEGUN);
    CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=other"});
  }
}

TEST_CASE("the mark of another restore is a refusal that names it [P-XFER-21, P-TAG-6]", "[rpc]") {
  MarkStage stage;
  stage.mark("lvmd.v1:restore=monday");
  const auto refused = stage.client.start_restore(restore_request());
  CHECK(refused.code == Code::kFailedPrecondition);
  CHECK(refused.reason == "MARK_DIFFERS");
  INFO(refused.message);
  CHECK(refused.says("restore \"monday\" has begun on volume source"));
  CHECK(stage.node->movers().requests().empty());
  CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=monday"});
  CHECK(stage.client.transfer(kRestore).code == Code::kNotFound);
}

TEST_CASE("a worker that is gone begins no restore [P-XFER-21]", "[rpc]") {
  MarkStage stage;
  stage.node->worker(kGroup).die();
  const auto refused = stage.client.start_restore(restore_request());
  CHECK(refused.code == Code::kUnavailable);
  CHECK(refused.reason == "WORKER_GONE");
  CHECK(stage.node->movers().requests().empty());
  REQUIRE(stage.node->restart_worker(kGroup));
  CHECK(eventually([&] { return stage.client.start_restore(restore_request()).ok(); }));
}

TEST_CASE(
    "marks are in no answer, and a marked volume is the one that was asked for [P-TAG-3, "
    "P-IDEM-3]",
    "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  REQUIRE(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=r"});
  const auto repeated = stage.client.create(create_request("thin", "source", kExtent));
  REQUIRE(repeated.ok());
  CHECK(repeated.response.volume().tags().empty());
}
