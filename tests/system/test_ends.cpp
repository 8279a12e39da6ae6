// Callers while lvmd is killed or stopped: what their calls end with.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <thread>

#include "tests/contract/crowd.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using namespace std::chrono_literals;
using lvmd::Code;

namespace {

constexpr auto kBefore = 3s;
constexpr auto kAfter = 5s;

void end_amid_a_crowd(const std::function<void()>& end) {
  Scratch scratch;
  REQUIRE(eventually([&] { return scratch.client.free_bytes("thick").ok(); }));
  Crowd crowd{kSocket, "thick", "crowd"};
  std::this_thread::sleep_for(kBefore);
  end();
  std::this_thread::sleep_for(kAfter);
  crowd.end();
  INFO(fmt::format("{}", crowd.ends()));
  CHECK(crowd.count(Code::kOk) > 0);
  CHECK(crowd.count(Code::kUnavailable) > 0);
  INFO(crowd.example(Code::kCancelled));
  CHECK(crowd.count(Code::kCancelled) == 0);
  INFO(crowd.example(Code::kUnknown));
  CHECK(crowd.count(Code::kUnknown) == 0);
  // What was made although its caller heard nothing.
  const auto left = scratch.client.list("thick");
  for (const auto& volume : left.response.volumes())
    if (volume.name().starts_with("crowd"))
      CHECK(scratch.client.remove(remove_request("thick", volume.name())).ok());
}

}  // namespace

TEST_CASE("nobody is told CANCELLED when the server is killed [P-STOP-4]", "[system]") {
  end_amid_a_crowd([] { must("kill -KILL " + std::to_string(pid_of("lvmd-server"))); });
}

TEST_CASE("nobody is told CANCELLED when the supervisor is killed [P-STOP-4]", "[system]") {
  end_amid_a_crowd([] { must("systemctl kill --kill-who main --signal KILL lvmd.service"); });
}

TEST_CASE("nobody is told CANCELLED when lvmd is restarted [P-STOP-4, P-STOP-2]", "[system]") {
  end_amid_a_crowd([] { must("systemctl restart lvmd.service"); });
}
