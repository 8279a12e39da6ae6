#include <catch2/catch.hpp>

#include "lvmd/lvm/vg_access.hpp"

namespace {

using lvmd::lvm::LvmOutcome;

// LVM as it answers one command.
class Answering final : public lvmd::lvm::LvmRunner {
 public:
  explicit Answering(LvmOutcome outcome) : outcome_(std::move(outcome)) {}
  [[nodiscard]] lvmd::Result<LvmOutcome> run(const lvmd::lvm::LvmCommand& command) override {
    asked = command.line().value();
    return outcome_;
  }
  std::string asked;

 private:
  LvmOutcome outcome_;
};

}  // namespace

TEST_CASE("devices and system id come from one question", "[lvm]") {
  Answering lvm{{.printed = {"  /dev/vdc   node-1.example ", "  /dev/vdb   node-1.example ",
                             "  [unknown]  node-1.example ", "  WARNING: something"}}};
  const auto access = lvmd::lvm::access_to(lvm, "vg0");
  REQUIRE(access);
  CHECK(access->devices == std::vector<std::string>{"/dev/vdb", "/dev/vdc"});
  CHECK(access->system_id == "node-1.example");
  CHECK(lvm.asked == "vgs --noheadings -o pv_name,vg_systemid vg0");
}

TEST_CASE("a group without a system id has none", "[lvm]") {
  Answering lvm{{.printed = {"  /dev/vdb            "}}};
  const auto access = lvmd::lvm::access_to(lvm, "vg0");
  REQUIRE(access);
  CHECK(access->devices == std::vector<std::string>{"/dev/vdb"});
  CHECK(access->system_id.empty());
}

TEST_CASE("a group that LVM refuses is unavailable with LVM's reason [P-STATE-1]", "[lvm]") {
  Answering lvm{{.exit_code = 5,
                 .errors = {"Cannot access VG vg0 with system ID a with local system ID b."}}};
  const auto access = lvmd::lvm::access_to(lvm, "vg0");
  REQUIRE_FALSE(access);
  CHECK(access.error().code == lvmd::Code::kUnavailable);
  CHECK_THAT(access.error().message, Catch::Contains("system ID a with local system ID b"));
}

TEST_CASE("a group whose devices are all missing is unavailable", "[lvm]") {
  Answering lvm{{.printed = {"  [unknown]  "}}};
  CHECK_FALSE(lvmd::lvm::access_to(lvm, "vg0"));
}
