// The contract on a real API server. LVMD_KUBECONFIG names the kubeconfig of the store, and
// LVMD_ADMIN_KUBECONFIG that of the others who write.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>

#include "csi/kube/kube_object_store.hpp"
#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/kubeconfig.hpp"
#include "tests/object_store/store_contract.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
namespace api_server = lvmd::reconciler::kube;

namespace {

constexpr std::chrono::seconds kLimit{20};

api_server::KubeOptions options(const char* variable) {
  INFO(variable);
  const char* const file = std::getenv(variable);
  REQUIRE(file != nullptr);
  const auto read = api_server::read_kubeconfig(file);
  if (!read) FAIL(describe(read.error()));
  return *read;
}

class World {
 public:
  World()
      : stop_(*api_server::StopSignal::open()),
        http_(options("LVMD_ADMIN_KUBECONFIG"), stop_.fd()) {
    auto opened = controller::kube::open_object_store(options("LVMD_KUBECONFIG"), {});
    REQUIRE(opened);
    store = std::move(*opened);
    const auto end = std::chrono::steady_clock::now() + kLimit;
    while (!store->is_ready() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    REQUIRE(store->is_ready());
  }

  // Also creates what does not exist.
  void send(const char* method, const std::string& path, const std::string& body) {
    const auto sent =
        api_server::body_of(http_.send({.method = method, .path = path, .body = body}));
    if (!sent) FAIL(describe(sent.error()));
  }

  void patch(const std::string& path, const std::string& body) { send("PATCH", path, body); }

  std::unique_ptr<ObjectStore> store;
  OtherWriters others{.hold =
                          [this](const std::string& name) {
                            patch(api_server::object_path({.name = name}),
                                  R"({"metadata":{"finalizers":["test/hold"]}})");
                          },
                      .release =
                          [this](const std::string& name) {
                            patch(api_server::object_path({.name = name}),
                                  R"({"metadata":{"finalizers":null}})");
                          },
                      .set_handle =
                          [this](const std::string& name, const std::string& handle) {
                            patch(api_server::status_path({.name = name}),
                                  fmt::format(R"({{"status":{{"volumeID":"{}"}}}})", handle));
                          }};

 private:
  api_server::StopSignal stop_;
  api_server::HttpClient http_;
};

// The free capacity of the node's class, once it is the expected one.
bool has_capacity(const ObjectStore& store, const std::string& node, std::int64_t expected) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (std::chrono::steady_clock::now() < end) {
    if (free_capacity(node, store.nodes(), "ssd").total == expected) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  return false;
}

}  // namespace

TEST_CASE("a real API server creates objects once, reads and lists them [C-KUBE-1]", "[csi]") {
  World world;
  check_creation(*world.store);
}

TEST_CASE("a real API server changes the size only of the object that was read [C-KUBE-1]",
          "[csi]") {
  World world;
  check_growth(*world.store, world.others);
}

TEST_CASE("a real API server removes only the object that is meant [C-KUBE-1]", "[csi]") {
  World world;
  check_removal(*world.store, world.others);
}

TEST_CASE("a real API server's watch reports what happens to an object [C-KUBE-2]", "[csi]") {
  World world;
  check_reports(*world.store, world.others);
}

TEST_CASE("Nodes with the driver's label are known with their capacity [C-KUBE-3]", "[csi]") {
  World world;
  world.send("POST", "/api/v1/nodes",
             R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"contract-node","annotations":
      {"capacity.topolvm.io/ssd":"4096"}}})");
  const std::string path = "/api/v1/nodes/contract-node";
  world.patch(path, R"({"metadata":{"labels":{"topology.topolvm.io/node":"contract-node"}}})");
  CHECK(has_capacity(*world.store, "contract-node", 4096));
  world.patch(path, R"({"metadata":{"annotations":{"capacity.topolvm.io/ssd":"8192"}}})");
  CHECK(has_capacity(*world.store, "contract-node", 8192));
  world.send("DELETE", path, "{}");
  CHECK(has_capacity(*world.store, "contract-node", 0));
}
