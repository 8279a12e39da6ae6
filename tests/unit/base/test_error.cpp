#include <catch2/catch.hpp>
#include <cerrno>
#include <utility>

#include "lvmd/base/error.hpp"
#include "lvmd/base/result.hpp"

using lvmd::Code;
using lvmd::Error;

TEST_CASE("codes have gRPC's numbers and names", "[base]") {
  // https://grpc.github.io/grpc/core/md_doc_statuscodes.html
  const auto [code, number, name] = GENERATE(table<Code, int, const char*>({
      {Code::kOk, 0, "OK"},
      {Code::kCancelled, 1, "CANCELLED"},
      {Code::kUnknown, 2, "UNKNOWN"},
      {Code::kInvalidArgument, 3, "INVALID_ARGUMENT"},
      {Code::kDeadlineExceeded, 4, "DEADLINE_EXCEEDED"},
      {Code::kNotFound, 5, "NOT_FOUND"},
      {Code::kAlreadyExists, 6, "ALREADY_EXISTS"},
      {Code::kPermissionDenied, 7, "PERMISSION_DENIED"},
      {Code::kResourceExhausted, 8, "RESOURCE_EXHAUSTED"},
      {Code::kFailedPrecondition, 9, "FAILED_PRECONDITION"},
      {Code::kAborted, 10, "ABORTED"},
      {Code::kOutOfRange, 11, "OUT_OF_RANGE"},
      {Code::kUnimplemented, 12, "UNIMPLEMENTED"},
      {Code::kInternal, 13, "INTERNAL"},
      {Code::kUnavailable, 14, "UNAVAILABLE"},
  }));
  CHECK(static_cast<int>(code) == number);
  CHECK(to_string(code) == name);
}

TEST_CASE("make_error creates an error with a code and a formatted message", "[base]") {
  const Error error = lvmd::make_error(Code::kNotFound, "{}/{} does not exist", "vg", "lv");
  CHECK(error.code == Code::kNotFound);
  CHECK(error.message == "vg/lv does not exist");
  CHECK_FALSE(error.rollback.has_value());
}

TEST_CASE("describe adds the failure of the rollback if there is one", "[base]") {
  Error error{.code = Code::kInternal, .message = "lvcreate failed"};
  CHECK(describe(error) == "lvcreate failed");
  error.rollback = "vg/lv is left behind: remove it";
  CHECK(describe(error) ==
        "lvcreate failed (undoing it failed too: vg/lv is left behind: remove it)");
}

TEST_CASE("errors with equal code, message and rollback are equal", "[base]") {
  const Error error{.code = Code::kAborted, .message = "locked"};
  CHECK(error == Error{.code = Code::kAborted, .message = "locked"});
  CHECK(error != Error{.code = Code::kInternal, .message = "locked"});
  CHECK(error != Error{.code = Code::kAborted, .message = "busy"});
  CHECK(error != Error{.code = Code::kAborted, .message = "locked", .rollback = "left"});
}

TEST_CASE("errno_error has the text of the errno and its code", "[base]") {
  const auto [number, code, message] = GENERATE(table<int, Code, const char*>({
      {ENOENT, Code::kNotFound, "/etc/x: No such file or directory"},
      {EACCES, Code::kPermissionDenied, "/etc/x: Permission denied"},
      {EPERM, Code::kPermissionDenied, "/etc/x: Operation not permitted"},
      {EIO, Code::kInternal, "/etc/x: Input/output error"},
  }));
  const Error error = lvmd::errno_error(number, "/etc/x");
  CHECK(error.code == code);
  CHECK(error.message == message);
}

TEST_CASE("the value of fail() converts to every Result", "[base]") {
  const lvmd::Result<int> failed = lvmd::fail(Code::kOutOfRange, "{} is too much", 7);
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error() == Error{.code = Code::kOutOfRange, .message = "7 is too much"});

  const lvmd::Status status = lvmd::fail_errno(ENOENT, "file");
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().code == Code::kNotFound);
}

TEST_CASE("a failure carries a reason and metadata [P-CODE-20]", "[base]") {
  const lvmd::Result<int> failed = lvmd::fail(Code::kNotFound, "{} is gone", "lv")
                                       .because("VOLUME_NOT_FOUND")
                                       .with("lv", "lv")
                                       .with("limit", 63);
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().message == "lv is gone");
  CHECK(reason_of(failed.error()) == "VOLUME_NOT_FOUND");
  CHECK(failed.error().metadata ==
        std::vector<std::pair<std::string, std::string>>{{"lv", "lv"}, {"limit", "63"}});
}

TEST_CASE("the reason of an error without one is the name of its code [P-CODE-20]", "[base]") {
  CHECK(reason_of(lvmd::make_error(Code::kAborted, "locked")) == "ABORTED");
}
