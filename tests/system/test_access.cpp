// Groups that LVM doesn't let this host use, or lets it use in a way of its own.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "lvmd/state/vg_reader.hpp"
#include "tests/system/differential.hpp"
#include "tests/system/loop_group.hpp"
#include "tests/system/lvmlocal.hpp"
#include "tests/system/shell.hpp"

using namespace lvmd;
using namespace lvmd::system_tests;

namespace {

std::string why_not(state::VgReader& reader, const model::VgAccess& access) {
  const model::VgState state = reader.read(access);
  REQUIRE_FALSE(state.group);
  CHECK(state.group.error().code == Code::kUnavailable);
  return state.group.error().message;
}

// The host's own LVM system ID, as an administrator sets it.
class LocalSystemId {
 public:
  explicit LocalSystemId(const std::string& id)
      : settings_(fmt::format("global {{ system_id_source = \"lvmlocal\" }}\\nlocal {{ system_id = "
                              "\"{}\" extra_system_ids = [ \"old-name\" ] }}\\n",
                              id)) {}

 private:
  Lvmlocal settings_;
};

}  // namespace

TEST_CASE("a group with this host's system ID is read [P-STATE-1]", "[system][layouts]") {
  const LoopGroup group{"vgd_mine", 1};
  const LocalSystemId here{"this-host"};
  state::VgReader reader{group.name(), "/usr/sbin/lvm"};
  const model::VgAccess before = group.access();
  must(fmt::format("vgchange -q -y --systemid this-host {}", group.name()));
  // Until LVM is asked again, it hasn't said that this ID is fine.
  CHECK_THAT(why_not(reader, before), Catch::Contains("system ID \"this-host\""));
  const model::VgAccess after = group.access();
  CHECK(after.system_id == "this-host");
  static_cast<void>(check_readers_agree(group.name(), after));
  // An ID that the host may use besides its own.
  must(fmt::format("vgchange -q -y --systemid old-name {}", group.name()));
  static_cast<void>(check_readers_agree(group.name(), group.access()));
  // Another host's: LVM itself answers nothing but an error.
  must(fmt::format("vgchange -q -y --systemid other-host {}", group.name()));
  CHECK(shell("vgs " + group.name()).exit_code != 0);
  CHECK_THAT(why_not(reader, after), Catch::Contains("system ID \"other-host\""));
}

TEST_CASE("an exported group is unavailable [P-STATE-1]", "[system][layouts]") {
  const LoopGroup group{"vgd_away", 1};
  state::VgReader reader{group.name(), "/usr/sbin/lvm"};
  const model::VgAccess access = group.access();
  CHECK(reader.read(access).group);
  must("vgexport -q " + group.name());
  CHECK_THAT(why_not(reader, access), Catch::Contains("is exported"));
  must("vgimport -q " + group.name());
  CHECK(reader.read(access).group);
}

TEST_CASE("two devices with one PV id are told apart from a state [P-STATE-1]",
          "[system][layouts]") {
  const LoopGroup group{"vgd_twin", 1};
  state::VgReader reader{group.name(), "/usr/sbin/lvm"};
  const std::string copy =
      output_of("cp /run/loops/vgd_twin.0 /run/loops/twin && losetup -f --show /run/loops/twin");
  CHECK_THAT(why_not(reader, {.devices = {group.device(0), copy}, .system_id = {}}),
             Catch::Contains("have the same PV id"));
  must("losetup -d " + copy + "; rm /run/loops/twin");
}

TEST_CASE("a group for a lock daemon is unavailable [P-STATE-1]", "[system][layouts]") {
  const LoopGroup group{"vgd_shared", 1};
  state::VgReader reader{group.name(), "/usr/sbin/lvm"};
  const model::VgAccess access = group.access();
  must(
      fmt::format("vgcfgbackup -q -f /run/loops/text {0} && sed -i 's/max_lv = 0/lock_type = "
                  "\"sanlock\"\\n\\tlock_args = \"1.0.0:lvmlock\"\\n\\tmax_lv = 0/' "
                  "/run/loops/text && vgcfgrestore -q -f /run/loops/text {0}; rm /run/loops/text",
                  group.name()));
  CHECK_THAT(why_not(reader, access), Catch::Contains("shared between hosts"));
}
