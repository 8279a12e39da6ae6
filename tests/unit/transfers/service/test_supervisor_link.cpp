#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "lvmd/ipc/convert.hpp"
#include "lvmd/transfers/service/supervisor_link.hpp"

using namespace lvmd;
using namespace lvmd::transfers;

namespace {

internal::TransferRequest start_request() {
  internal::TransferRequest request;
  request.mutable_start()->set_id("b");
  request.mutable_start()->mutable_credentials()->set_password("secret");
  return request;
}

SupervisorLink::Callback into(std::optional<Status>& result) {
  return [&result](const Status& answer) { result = answer; };
}

}  // namespace

TEST_CASE("a reply is matched to its request by number", "[server]") {
  std::vector<internal::ChildEvent> sent;
  SupervisorLink link{[&sent](const internal::ChildEvent& event) -> Status {
    sent.push_back(event);
    return {};
  }};
  std::optional<Status> first;
  std::optional<Status> second;
  link.request(start_request(), into(first));
  link.request(start_request(), into(second));
  REQUIRE(sent.size() == 2);
  CHECK(sent[0].transfer().start().credentials().password() == "secret");
  CHECK(sent[0].transfer().number() != sent[1].transfer().number());
  internal::TransferReply reply;
  reply.set_number(sent[1].transfer().number());
  *reply.mutable_error() = ipc::to_proto(make_error(Code::kAborted, "no"));
  link.take_reply(reply);
  CHECK_FALSE(first);
  REQUIRE(second);
  REQUIRE_FALSE(*second);
  CHECK(second->error().message == "no");
  // A reply without a request.
  link.take_reply(reply);
  CHECK_FALSE(first);
  link.supervisor_lost();
  REQUIRE(first);
  CHECK(first->error().code == Code::kUnavailable);
}

TEST_CASE("without a supervisor a request fails at once", "[server]") {
  SupervisorLink link{[](const internal::ChildEvent& /*event*/) -> Status {
    return fail(Code::kUnavailable, "gone");
  }};
  std::optional<Status> result;
  link.request(start_request(), into(result));
  REQUIRE(result);
  CHECK(result->error().message == "gone");
  result.reset();
  link.supervisor_lost();
  link.request(start_request(), into(result));
  REQUIRE(result);
  CHECK(result->error().code == Code::kUnavailable);
  CHECK(result->error().message != "gone");
}
