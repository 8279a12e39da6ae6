#include <catch2/catch.hpp>
#include <limits>

#include "csi/controller/size_range.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using reconciler::Bytes;

namespace {

Code code_of_range(std::int64_t required, std::int64_t limit) {
  api::CapacityRange range;
  range.set_required_bytes(required);
  range.set_limit_bytes(limit);
  const auto parsed = parse_range(range);
  return parsed ? Code::kOk : parsed.error().code;
}

std::int64_t size_in(SizeRange range, std::optional<Bytes> source = std::nullopt) {
  const auto size = wanted_size(range, source);
  return size ? size->value : -static_cast<std::int64_t>(size.error().code);
}

constexpr std::int64_t kTooSmall = -static_cast<std::int64_t>(Code::kOutOfRange);

}  // namespace

TEST_CASE(
    "a capacity range is not negative, and its limit is not below the required size "
    "[C-SIZE-1]",
    "[csi][controller]") {
  CHECK(code_of_range(0, 0) == Code::kOk);
  CHECK(code_of_range(10, 10) == Code::kOk);
  CHECK(code_of_range(10, 0) == Code::kOk);
  CHECK(code_of_range(-1, 0) == Code::kInvalidArgument);
  CHECK(code_of_range(0, -1) == Code::kInvalidArgument);
  CHECK(code_of_range(11, 10) == Code::kInvalidArgument);
}

TEST_CASE("without a request the size is 1 GiB, or the limit if it is below [C-SIZE-2]",
          "[csi][controller]") {
  CHECK(size_in({}) == kGi);
  CHECK(size_in({.limit = kGi}) == kGi);
  CHECK(size_in({.limit = 2 * kGi}) == kGi);
  CHECK(size_in({.limit = 10'000}) == 8192);
  CHECK(size_in({.limit = 4095}) == kTooSmall);
}

TEST_CASE("the size is rounded up to a multiple of 4096, within the limit [C-SIZE-2]",
          "[csi][controller]") {
  CHECK(size_in({.required = 1}) == 4096);
  CHECK(size_in({.required = 4096}) == 4096);
  CHECK(size_in({.required = 4097}) == 8192);
  CHECK(size_in({.required = 4097, .limit = 8192}) == 8192);
  CHECK(size_in({.required = 4097, .limit = 8191}) == kTooSmall);
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  CHECK(size_in({.required = kMax}) == kTooSmall);
  CHECK(size_in({.required = kMax - 4095}) == kMax - 4095);
}

TEST_CASE("a volume with a source has at least the size of the source [C-SIZE-3]",
          "[csi][controller]") {
  CHECK(size_in({}, Bytes{3 * kGi}) == 3 * kGi);
  CHECK(size_in({.required = 3 * kGi}, Bytes{3 * kGi}) == 3 * kGi);
  CHECK(size_in({.required = 4 * kGi}, Bytes{3 * kGi}) == 4 * kGi);
  CHECK(size_in({.required = 2 * kGi}, Bytes{3 * kGi}) == kTooSmall);
  CHECK(size_in({.limit = 2 * kGi}, Bytes{3 * kGi}) == kTooSmall);
}

TEST_CASE("a size is in the range if it is at least required and at most the limit [C-SAME-1]",
          "[csi][controller]") {
  CHECK(SizeRange{}.contains(Bytes{1}));
  CHECK(SizeRange{.required = 5}.contains(Bytes{5}));
  CHECK_FALSE(SizeRange{.required = 6}.contains(Bytes{5}));
  CHECK(SizeRange{.limit = 5}.contains(Bytes{5}));
  CHECK_FALSE(SizeRange{.limit = 4}.contains(Bytes{5}));
}
