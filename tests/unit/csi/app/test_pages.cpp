#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "csi/app/pages.hpp"
#include "tests/unit/csi/controller/fake_objects.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;

TEST_CASE("readyz needs the objects, healthz needs nothing [C-SERVE-1]", "[csi][app]") {
  FakeObjects store;
  const Metrics metrics;
  const http::Pages pages = make_pages(store, metrics);
  CHECK(pages.at("/readyz")().is_good);
  store.ready = false;
  CHECK_FALSE(pages.at("/readyz")().is_good);
  CHECK(pages.at("/healthz")().is_good);
}

TEST_CASE("the metrics count calls and objects, and name no object [C-SERVE-2]", "[csi][app]") {
  FakeObjects store;
  store.add(sample_volume());
  store.add(sample_volume("pvc-2"));
  store.add(sample_snapshot());
  Metrics metrics;
  metrics.call_ended("CreateVolume", Code::kOk, std::chrono::milliseconds{20});
  metrics.call_ended("CreateVolume", Code::kResourceExhausted, std::chrono::milliseconds{2});
  const std::string text = make_pages(store, metrics).at("/metrics")().text;
  CAPTURE(text);
  for (const char* const line :
       {"lvmd_csi_controller_calls_total{code=\"OK\",method=\"CreateVolume\"} 1",
        "lvmd_csi_controller_calls_total{code=\"RESOURCE_EXHAUSTED\",method=\"CreateVolume\"} 1",
        "lvmd_csi_controller_call_seconds_count{method=\"CreateVolume\"} 2",
        "lvmd_csi_controller_objects{kind=\"volume\"} 2",
        "lvmd_csi_controller_objects{kind=\"snapshot\"} 1", "lvmd_csi_controller_ready 1"})
    CHECK(text.contains(line));
  CHECK_FALSE(text.contains("pvc-"));
}
