// The tag that permits a restore to write: set before a mover is requested, replaced before success
// is reported. The cases show a mover's work by its record only.
#include <algorithm>
#include <catch2/catch.hpp>

#include "lvmd/model/ownership.hpp"
#include "reconciler/lvmd_client/lvmd_client.hpp"
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
  // The volume's restore tags.
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
  // Returns when the server has the tag in its model. A caller's tag is set as well, because the
  // server does not show restore tags.
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
  // The mark in the job of the last start.
  [[nodiscard]] internal::RestoreMark job_mark() const {
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

TEST_CASE("a blank volume is tagged before a mover is requested [P-XFER-21]", "[rpc]") {
  MarkStage stage;
  stage.node->worker(kGroup).hold();
  auto begun = begin([&] { return stage.client.start_restore(restore_request()); });
  REQUIRE(stage.node->worker(kGroup).wait_for_requests(3, kLimit));
  CHECK(stage.node->movers().requests().empty());
  stage.node->worker(kGroup).release();
  REQUIRE(begun.get().ok());
  CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=r"});
  CHECK(stage.job_mark() == internal::RESTORE_MARK_BEGUN);
  CHECK(stage.node->movers().requests().back().start().device().uuid().starts_with("LVM-"));
}

TEST_CASE("a volume is created with the tag of its restore, in one command [P-XFER-25]", "[rpc]") {
  MarkStage stage;
  const auto service = reconciler::make_lvmd_client(stage.node->socket());
  const auto before = stage.node->worker(kGroup).requests();
  const reconciler::VolumeName volume{.name = "new", .device_class = "thick"};
  REQUIRE(service->create(volume, "", {2 * kExtent}, "kube/1", "r"));
  CHECK(stage.node->worker(kGroup).requests() == before + 1);
  CHECK(stage.marks("new") == std::vector<std::string>{"lvmd.v1:restore=r"});
  auto request = restore_request();
  request.set_name("new");
  request.set_device_class("thick");
  REQUIRE(stage.client.start_restore(request).ok());
  CHECK(stage.marks("new") == std::vector<std::string>{"lvmd.v1:restore=r"});
  CHECK(stage.job_mark() == internal::RESTORE_MARK_BEGUN);
  // Repeated, and for another restore: an existing volume is not changed.
  CHECK(service->create(volume, "", {2 * kExtent}, "kube/1", "other"));
  CHECK(stage.marks("new") == std::vector<std::string>{"lvmd.v1:restore=r"});
}

TEST_CASE("an id that no restore can have is no tag of a new volume [P-XFER-1, P-XFER-25]",
          "[rpc]") {
  MarkStage stage;
  const auto service = reconciler::make_lvmd_client(stage.node->socket());
  for (const char* const id : {"two words", "a/b", ".a"}) {
    const auto made =
        service->create({.name = "new", .device_class = "thick"}, "", {kExtent}, "", id);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == Code::kInvalidArgument);
    CHECK(made.error().message.contains("lvmd-restore"));
  }
}

TEST_CASE("success is reported when the tag is replaced, RUNNING until then [P-XFER-23]", "[rpc]") {
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
  // Neither a repetition nor a cancellation changes it.
  CHECK(stage.client.start_restore(restore_request()).response.phase() == v1::PHASE_RUNNING);
  CHECK(stage.client.cancel_transfer(kRestore).response.phase() == v1::PHASE_RUNNING);
  CHECK(stage.node->movers().requests().size() == 1);
  stage.node->worker(kGroup).release();
  CHECK(stage.succeeds());
  CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restored=r"});
  CHECK(stage.shown().has_completion_time());
  CHECK(stage.shown().step().empty());
}

TEST_CASE(
    "a tag that can't be replaced is retried, and does not count as a running mover [P-XFER-23]",
    "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  SECTION("LVM refuses") {
    stage.node->worker(kGroup).fail_next(make_error(Code::kInternal, "no"));
    stage.end(kRestore, v1::PHASE_SUCCEEDED);
    CHECK(stage.succeeds());
  }
  SECTION("the group is unavailable") {
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

TEST_CASE("a volume that was removed meanwhile does not prevent the end of its restore [P-XFER-23]",
          "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  REQUIRE(stage.client.remove(remove_request("thin", "source")).ok());
  stage.end(kRestore, v1::PHASE_SUCCEEDED);
  CHECK(stage.succeeds());
}

TEST_CASE("a restore that failed or was cancelled is started again on its volume [P-XFER-21]",
          "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  stage.set_blank(false);
  stage.end(kRestore, GENERATE(v1::PHASE_FAILED, v1::PHASE_CANCELLED));
  CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=r"});
  const auto again = stage.client.start_restore(restore_request());
  REQUIRE(again.ok());
  CHECK(again.response.attempt() == 2);
  CHECK(stage.job_mark() == internal::RESTORE_MARK_BEGUN);
}

TEST_CASE("a volume that is neither blank nor tagged is not tagged [P-XFER-22]", "[rpc]") {
  MarkStage stage;
  stage.set_blank(false);
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  CHECK(stage.job_mark() == internal::RESTORE_MARK_NONE);
  CHECK(stage.marks().empty());
  stage.end(kRestore, v1::PHASE_SUCCEEDED);
  CHECK(stage.succeeds());
  CHECK(stage.marks().empty());
}

TEST_CASE("the mover learns of a completed restore from the volume's tag [P-XFER-22]", "[rpc]") {
  MarkStage stage;
  stage.mark("lvmd.v1:restored=r");
  SECTION("the volume is no longer blank") {
    stage.set_blank(false);
    REQUIRE(stage.client.start_restore(restore_request()).ok());
    CHECK(stage.job_mark() == internal::RESTORE_MARK_COMPLETED);
    CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restored=r"});
  }
  SECTION("another restore") {
    stage.set_blank(false);
    REQUIRE(stage.client.start_restore(restore_request("other")).ok());
    CHECK(stage.job_mark() == internal::RESTORE_MARK_NONE);
    CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restored=r"});
  }
  SECTION("the volume is blank again") {
    REQUIRE(stage.client.start_restore(restore_request("other")).ok());
    CHECK(stage.job_mark() == internal::RESTORE_MARK_BEGUN);
    CHECK(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=other"});
  }
}

TEST_CASE("the tag of another restore leads to a refusal that names it [P-XFER-21, P-TAG-6]",
          "[rpc]") {
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

TEST_CASE("without a worker no restore starts [P-XFER-21]", "[rpc]") {
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
    "restore tags are in no answer, and a tagged volume still matches its request [P-TAG-3, "
    "P-IDEM-3]",
    "[rpc]") {
  MarkStage stage;
  REQUIRE(stage.client.start_restore(restore_request()).ok());
  REQUIRE(stage.marks() == std::vector<std::string>{"lvmd.v1:restore=r"});
  const auto repeated = stage.client.create(create_request("thin", "source", kExtent));
  REQUIRE(repeated.ok());
  CHECK(repeated.response.volume().tags().empty());
}
