#include <catch2/catch.hpp>

#include "lvmd/volumes/service/watch_changes.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;

namespace {

proto::WatchResponse message(double data, double metadata, std::uint64_t free = 7) {
  proto::WatchResponse response;
  response.set_free_bytes(free);
  proto::WatchItem& thick = *response.add_items();
  thick.set_device_class("ssd");
  proto::WatchItem& thin = *response.add_items();
  thin.set_device_class("thin");
  thin.mutable_thin_pool()->set_data_percent(data);
  thin.mutable_thin_pool()->set_metadata_percent(metadata);
  return response;
}

bool is_significant(const proto::WatchResponse& sent, const proto::WatchResponse& newer) {
  return is_significant_change(sample_catalog(), sent, newer);
}

}  // namespace

TEST_CASE("a change of a tenth of a percentage point is sent, a smaller one is not [P-WATCH-20]",
          "[server]") {
  CHECK_FALSE(is_significant(message(10, 5), message(10.09, 5.09)));
  CHECK_FALSE(is_significant(message(10, 5), message(9.91, 5)));
  CHECK(is_significant(message(10.2, 5), message(10.3, 5)));
  CHECK(is_significant(message(10, 5), message(10, 5.1)));
  CHECK(is_significant(message(10, 5), message(9.9, 5)));
}

TEST_CASE("any other change is sent, also with a small change of usage [P-WATCH-2]", "[server]") {
  CHECK(is_significant(message(10, 5), message(10.01, 5, 8)));
  auto without = message(10, 5);
  without.mutable_items()->RemoveLast();
  CHECK(is_significant(message(10, 5), without));
  CHECK(is_significant(without, message(10, 5)));
}

TEST_CASE("crossing a high-water mark is sent, however small the change [P-WATCH-20, P-THIN-1]",
          "[server]") {
  auto catalog = sample_catalog();
  model::ThinPoolTarget& pool = *catalog.device_classes[1].thin_pool;
  pool.data_high_water_percent = 80;
  pool.metadata_high_water_percent = 70;
  CHECK(is_significant_change(catalog, message(79.99, 5), message(80, 5)));
  CHECK(is_significant_change(catalog, message(80, 5), message(79.99, 5)));
  CHECK(is_significant_change(catalog, message(10, 69.99), message(10, 70.01)));
  // Each percentage has its own mark.
  CHECK_FALSE(is_significant_change(catalog, message(69.99, 79.99), message(70.01, 80.01)));
  CHECK_FALSE(is_significant_change(catalog, message(80, 5), message(80.05, 5)));
}
