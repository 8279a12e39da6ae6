// The API server in memory behaves as a real one.
#include <catch2/catch.hpp>

#include "tests/object_store/store_contract.hpp"
#include "tests/unit/csi/controller/fake_objects.hpp"

using namespace lvmd::controller;
using namespace lvmd::controller::test;
using lvmd::reconciler::LogicalVolume;

namespace {

struct World {
  World() { store.reconciler = {}; }

  FakeObjects store;
  OtherWriters others{
      .hold =
          [this](const std::string& name) {
            store.change(name, [](LogicalVolume& object) { object.finalizers = {"test/hold"}; });
          },
      .release =
          [this](const std::string& name) {
            store.change(name, [](LogicalVolume& object) { object.finalizers.clear(); });
            if (store.find(name)->removal_wanted) store.drop(name);
          },
      .set_handle =
          [this](const std::string& name, const std::string& handle) {
            store.change(name, [&](LogicalVolume& object) { object.status.volume_id = handle; });
          }};
};

}  // namespace

TEST_CASE("objects are created once, read and listed [C-KUBE-1]", "[csi][controller]") {
  World world;
  check_creation(world.store);
}

TEST_CASE("only the object that was read gets another size [C-KUBE-1]", "[csi][controller]") {
  World world;
  check_growth(world.store, world.others);
}

TEST_CASE("only the object that is meant is removed [C-KUBE-1]", "[csi][controller]") {
  World world;
  check_removal(world.store, world.others);
}

TEST_CASE("the watch reports what happens to an object, in order [C-KUBE-2]", "[csi][controller]") {
  World world;
  check_reports(world.store, world.others);
}
