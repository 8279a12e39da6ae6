#include <catch2/catch.hpp>

#include "lvmd/ipc/kubelet.hpp"

using namespace lvmd;
using model::KubeletTarget;
using model::TargetKind;

TEST_CASE("a target of kubelet is the same after its conversion [P-CSI-30]", "[ipc]") {
  const std::string hash(64, 'a');
  for (const KubeletTarget& target :
       {KubeletTarget{.kind = TargetKind::kStaging, .volume = hash},
        KubeletTarget{.kind = TargetKind::kBlockStaging, .volume = "pv-1"},
        KubeletTarget{.kind = TargetKind::kPodMount, .volume = "pv-1", .pod = "a-1"},
        KubeletTarget{.kind = TargetKind::kPodDevice, .volume = "pv-1", .pod = "a-1"}}) {
    CHECK(ipc::from_proto(ipc::to_proto(target)) == target);
  }
  const auto root =
      ipc::from_proto(ipc::to_proto(model::KubeletRoot{.path = "/k", .driver = "topolvm.io"}));
  CHECK(root.path == "/k");
  CHECK(root.driver == "topolvm.io");
}

TEST_CASE("a target of kubelet with a wrong part or kind is refused [P-CSI-30]", "[ipc]") {
  auto message =
      ipc::to_proto(KubeletTarget{.kind = TargetKind::kPodMount, .volume = "pv-1", .pod = "a-1"});
  REQUIRE(ipc::from_proto(message));
  SECTION("no kind") { message.clear_kind(); }
  SECTION("a kind of the future") {
    message.set_kind(static_cast<internal::KubeletTarget::Kind>(99));
  }
  SECTION("a path as a part") { message.set_volume("../pv-1"); }
  SECTION("no pod") { message.clear_pod(); }
  SECTION("a pod at a staging target") { message.set_kind(internal::KubeletTarget::BLOCK_STAGING); }
  const auto refused = ipc::from_proto(message);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
  CHECK(refused.error().reason == "INVALID_TARGET");
}
