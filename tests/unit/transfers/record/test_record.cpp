#include <catch2/catch.hpp>

#include "tests/unit/transfers/record/sample_transfer.hpp"

using namespace lvmd;
using namespace lvmd::transfers;
using namespace std::chrono_literals;

namespace {

const TransferKey kRecordKey{.operation = v1::OPERATION_BACKUP, .id = "a"};

}  // namespace

TEST_CASE("a record survives serialization", "[transfer]") {
  const auto record = sample_record(v1::PHASE_FAILED, sample_time(1000s));
  const auto bytes = to_bytes(record);
  REQUIRE(bytes);
  const auto back = from_bytes(*bytes, kRecordKey);
  REQUIRE(back);
  CHECK(back->SerializeAsString() == record.SerializeAsString());
}

TEST_CASE("invalid bytes are an error, never a partial record", "[transfer]") {
  CHECK_FALSE(from_bytes("nonsense", kRecordKey));
  CHECK_FALSE(from_bytes("", kRecordKey));
  const auto bytes = to_bytes(sample_record(v1::PHASE_RUNNING, sample_time(1000s)));
  REQUIRE(bytes);
  CHECK_FALSE(from_bytes(std::string_view{*bytes}.substr(0, bytes->size() - 1), kRecordKey));
  const auto other = from_bytes(*bytes, {.operation = v1::OPERATION_BACKUP, .id = "b"});
  REQUIRE_FALSE(other);
  CHECK(other.error().message == "invalid transfer record: it belongs to another transfer");
}

TEST_CASE("check_record rejects what readers do not expect", "[transfer]") {
  auto record = sample_record(v1::PHASE_RUNNING, sample_time(1000s));
  REQUIRE(check_record(record));
  v1::Transfer& transfer = *record.mutable_transfer();
  SECTION("an invalid id") { transfer.set_id("../etc/passwd"); }
  SECTION("an unknown operation") { transfer.set_operation(v1::OPERATION_UNSPECIFIED); }
  SECTION("no phase") { transfer.set_phase(v1::PHASE_UNSPECIFIED); }
  SECTION("an unknown phase") { transfer.set_phase(static_cast<v1::Phase>(42)); }
  SECTION("an unknown mode") { transfer.set_mode(static_cast<v1::Mode>(42)); }
  SECTION("an ended transfer without completion time") { transfer.set_phase(v1::PHASE_SUCCEEDED); }
  SECTION("a completion time of a running transfer") {
    *transfer.mutable_completion_time() = to_timestamp({});
  }
  SECTION("an error of a transfer that did not fail") { transfer.mutable_error()->set_code("X"); }
  SECTION("an unknown verification result") {
    transfer.mutable_verification()->set_result(static_cast<v1::Verification::Result>(42));
  }
  CHECK_FALSE(check_record(record));
  CHECK_FALSE(to_bytes(record));
}

TEST_CASE(
    "a failed transfer can be started again, and a check also after success [P-XFER-1, P-XFER-20]",
    "[transfer]") {
  const auto begins = [](v1::Phase phase, v1::Operation operation) {
    return can_start_again(sample_record(phase, sample_time(1s), operation).transfer());
  };
  for (const v1::Operation operation : {v1::OPERATION_BACKUP, v1::OPERATION_CHECK}) {
    CHECK(begins(v1::PHASE_FAILED, operation));
    CHECK(begins(v1::PHASE_CANCELLED, operation));
    CHECK_FALSE(begins(v1::PHASE_PENDING, operation));
    CHECK_FALSE(begins(v1::PHASE_RUNNING, operation));
    CHECK(begins(v1::PHASE_SUCCEEDED, operation) == (operation == v1::OPERATION_CHECK));
  }
}

TEST_CASE("the spec digest ignores credentials, attempt and settings [P-XFER-1]", "[transfer]") {
  const internal::MoverJob job = sample_job();
  const std::string digest = spec_digest(job);
  CHECK(digest.size() == 32);
  internal::MoverJob same = job;
  same.mutable_credentials()->set_password("another");
  same.set_attempt(5);
  same.mutable_settings()->set_stall_seconds(1);
  same.mutable_device()->set_minor(9);
  CHECK(spec_digest(same) == digest);
  internal::MoverJob other = job;
  SECTION("volume") { other.mutable_device()->set_name("snap-2"); }
  SECTION("repository") { other.mutable_repository()->set_location("/r"); }
  SECTION("option") { (*other.mutable_repository()->mutable_options())["s3.region"] = "x"; }
  SECTION("mode") { other.set_mode(v1::MODE_BLOCKS); }
  SECTION("verify") { other.set_verify(true); }
  SECTION("deadline") { other.set_deadline_seconds(7); }
  CHECK(spec_digest(other) != digest);
}

TEST_CASE("a new record contains the request but no secret [P-XFER-5]", "[transfer]") {
  const auto record = new_record(sample_job(), sample_time(1000s));
  CHECK(record.transfer().phase() == v1::PHASE_PENDING);
  CHECK(record.transfer().name() == "snap-1");
  CHECK(record.transfer().repository() == "rest:https://store.example:8000/node1/");
  CHECK(record.transfer().attempt() == 1);
  CHECK(from_timestamp(record.transfer().start_time()) == sample_time(1000s));
  const std::string bytes = record.SerializeAsString();
  CHECK_FALSE(bytes.contains("sesame"));
  CHECK_FALSE(bytes.contains("p@ss"));
}
