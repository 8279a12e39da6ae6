#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/lvm/run_with_retry.hpp"

using namespace lvmd;
using namespace lvmd::lvm;
using namespace std::chrono_literals;

namespace {

// Fails with the same errors every time.
class Failing final : public LvmRunner {
 public:
  template <typename... Errors>
  explicit Failing(Errors... errors) : errors_{std::move(errors)...} {}
  Result<LvmOutcome> run(const LvmCommand& /*command*/) override {
    ++runs;
    return LvmOutcome{.exit_code = 5, .errors = errors_};
  }

  int runs = 0;

 private:
  std::vector<std::string> errors_;
};

}  // namespace

TEST_CASE(
    "a lock that other programs hold only briefly, but at each attempt, is reported [P-RUN-5]",
    "[lvm]") {
  Failing lvm{"/run/lock/lvm/V_vg0: flock failed: Resource temporarily unavailable"};
  const auto refused = run_with_retry(lvm, LvmCommand{"lvcreate"}, "no-such-group", {}, 200ms);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kAborted);
  CHECK(refused.error().reason == "VOLUME_GROUP_LOCKED");
  CHECK(lvm.runs > 1);
}

TEST_CASE("a lock that LVM reports without its cause is recognised [P-RUN-5]", "[lvm]") {
  Failing held{"Can't get lock for no-such-group."};
  const auto refused = run_with_retry(held, LvmCommand{"lvremove"}, "no-such-group", {}, 200ms);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kAborted);
  Failing read_only{"/run/lock/lvm/V_vg0: open failed: Read-only file system",
                    "Can't get lock for vg0."};
  CHECK(run_with_retry(read_only, LvmCommand{"lvremove"}, "no-such-group", {}, 200ms));
  CHECK(read_only.runs == 1);
}

TEST_CASE("a command that fails for another reason than a lock is not retried", "[lvm]") {
  Failing lvm{"Insufficient free space"};
  const auto outcome = run_with_retry(lvm, LvmCommand{"lvcreate"}, "no-such-group", {}, 200ms);
  REQUIRE(outcome);
  CHECK(outcome->exit_code == 5);
  CHECK(lvm.runs == 1);
}
