#include <catch2/catch.hpp>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "lvmd/server/error_details.hpp"

using namespace lvmd;
using namespace lvmd::server;

namespace {

google::rpc::ErrorInfo info_of(const grpc::Status& status) {
  google::rpc::Status details;
  REQUIRE(details.ParseFromString(status.error_details()));
  CHECK(details.code() == static_cast<int>(status.error_code()));
  CHECK(details.message() == status.error_message());
  REQUIRE(details.details_size() == 1);
  CHECK(details.details(0).type_url() == "type.googleapis.com/google.rpc.ErrorInfo");
  google::rpc::ErrorInfo info;
  REQUIRE(details.details(0).UnpackTo(&info));
  return info;
}

}  // namespace

TEST_CASE("an error is sent with reason, domain and metadata [P-CODE-20]", "[server]") {
  const auto status = to_status(make_error(Code::kResourceExhausted, "no space")
                                    .because("NOT_ENOUGH_SPACE")
                                    .with("requested", 8)
                                    .with("available", 4));
  CHECK(status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED);
  CHECK(status.error_message() == "no space");
  const auto info = info_of(status);
  CHECK(info.reason() == "NOT_ENOUGH_SPACE");
  CHECK(info.domain() == "lvmd.io");
  CHECK(info.metadata().at("requested") == "8");
  CHECK(info.metadata().at("available") == "4");
}

TEST_CASE("every error has a reason [P-CODE-20]", "[server]") {
  CHECK(info_of(to_status(make_error(Code::kInternal, "lvcreate failed"))).reason() == "INTERNAL");
}

TEST_CASE("message and details fit the metadata that clients accept [P-CODE-20]", "[server]") {
  // Each character has two bytes in UTF-8 and three per byte in percent-encoding.
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "ä";
  const auto status = to_status(make_error(Code::kInternal, "{}", text).with("command", text));
  const std::size_t encoded =
      3 * status.error_message().size() + 4 * status.error_details().size() / 3;
  CHECK(encoded < 8192 - 512);
  CHECK(status.error_message().ends_with("…"));
  const auto info = info_of(status);
  CHECK(info.metadata().at("command").ends_with("ä…"));
}
