#include <catch2/catch.hpp>
#include <chrono>

#include "reconciler/model/condition.hpp"

using namespace lvmd::reconciler;

namespace {

constexpr const char* kBefore = "2026-01-01T00:00:00Z";

Conditions one() {
  return {{.type = "Ready", .status = "True", .reason = "A", .last_transition_time = kBefore}};
}

}  // namespace

TEST_CASE("a condition's time is that of its last change of status [R-OBJ-25]",
          "[reconciler][model]") {
  const std::chrono::system_clock::time_point now{std::chrono::seconds{1767225601}};
  Conditions conditions = one();
  set_condition(conditions, {.type = "Ready", .status = "True", .reason = "B", .message = "more"});
  stamp(conditions, now);
  REQUIRE(conditions.size() == 1);
  CHECK(conditions[0].reason == "B");
  CHECK(conditions[0].last_transition_time == kBefore);
  set_condition(conditions, {.type = "Ready", .status = "False", .reason = "C"});
  stamp(conditions, now);
  CHECK(conditions[0].last_transition_time == "2026-01-01T00:00:01Z");
}

TEST_CASE("a condition of another type is added to the first", "[reconciler][model]") {
  Conditions conditions = one();
  set_condition(conditions, {.type = "Resized", .status = "Unknown", .reason = "Pending"});
  REQUIRE(conditions.size() == 2);
  CHECK(conditions[0] == one()[0]);
  CHECK(find_condition(conditions, "Resized") == &conditions[1]);
  CHECK(find_condition(conditions, "Other") == nullptr);
}

TEST_CASE("reasons of errors become reasons of conditions [R-OBJ-25]", "[reconciler][model]") {
  CHECK(camel_case("NOT_ENOUGH_SPACE") == "NotEnoughSpace");
  CHECK(camel_case("INTERNAL") == "Internal");
  CHECK(camel_case("").empty());
}
