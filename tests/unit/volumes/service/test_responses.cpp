#include <grpcpp/support/slice.h>

#include <catch2/catch.hpp>

#include "lvmd/volumes/service/responses.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;
using model::LvRole;

namespace {

std::vector<model::LogicalVolume> sample_volumes() {
  return {
      sample_volume("cow", LvRole::kCowSnapshot),
      sample_volume("lvol0_pmspare", LvRole::kInternal),
      sample_volume("other-thin", LvRole::kThin, "pool1"),
      sample_volume("plain", LvRole::kPlain),
      sample_volume("pool0", LvRole::kThinPool),
      sample_volume("pool0_tdata", LvRole::kInternal),
      sample_volume("thin", LvRole::kThin, "pool0"),
  };
}

std::vector<std::string> names_in(const ReadModel& read_model,
                                  const model::DeviceClass& device_class) {
  const auto view = read_model.view(device_class.volume_group);
  REQUIRE(view);
  const auto encoded = list_response(*view, device_class);
  REQUIRE(encoded);
  grpc::Slice bytes;
  REQUIRE(encoded->DumpToSingleSlice(&bytes).ok());
  proto::GetLVListResponse response;
  REQUIRE(response.ParseFromArray(bytes.begin(), static_cast<int>(bytes.size())));
  std::vector<std::string> result;
  for (const auto& volume : response.volumes()) result.push_back(volume.name());
  return result;
}

}  // namespace

TEST_CASE("a volume has all its fields, without lvmd's own tags [P-TAG-3]", "[server]") {
  model::LogicalVolume lv = sample_volume("plain", LvRole::kPlain);
  lv.tags = {"a", "lvmd.v1:class=ssd", "b"};
  lv.device = model::DeviceState{.major = 253, .minor = 7};
  proto::LogicalVolume message;
  fill(message, lv);
  CHECK(message.name() == "plain");
  CHECK(message.dev_major() == 253);
  CHECK(message.dev_minor() == 7);
  CHECK(message.size_bytes() == static_cast<std::int64_t>(lv.size.value));
  CHECK(message.path() == "/dev/vg0/plain");
  CHECK(message.attr() == "-wi-a-----");
  REQUIRE(message.tags_size() == 2);
  CHECK(message.tags(0) == "a");
  CHECK(message.tags(1) == "b");
}

TEST_CASE("an inactive volume without tags has the device number 0:0 and no tag [P-MSG-4, P-MSG-6]",
          "[server]") {
  proto::LogicalVolume message;
  fill(message, sample_volume("plain", LvRole::kPlain));
  CHECK(message.dev_major() == 0);
  CHECK(message.dev_minor() == 0);
  CHECK(message.tags_size() == 0);
}

TEST_CASE("each class lists only its own volumes [P-CLASS-3, P-CLASS-4, P-CLASS-5]", "[server]") {
  ReadModel read_model{{"vg0"}};
  read_model.apply(sample_state("vg0", 1, 10, sample_volumes()));
  const model::ClassCatalog catalog = sample_catalog();
  CHECK(names_in(read_model, catalog.device_classes[0]) ==
        std::vector<std::string>{"cow", "plain"});
  CHECK(names_in(read_model, catalog.device_classes[1]) == std::vector<std::string>{"thin"});
}

TEST_CASE("a list has the newest state and hidden volumes, whatever was listed before [P-RUN-2]",
          "[server]") {
  ReadModel read_model{{"vg0"}};
  const model::DeviceClass thick = sample_catalog().device_classes[0];
  const auto two = std::vector<std::string>{"cow", "plain"};
  read_model.apply(sample_state("vg0", 1, 10, sample_volumes()));
  CHECK(names_in(read_model, thick) == two);
  CHECK(names_in(read_model, thick) == two);
  read_model.hide("vg0", {"cow"});
  CHECK(names_in(read_model, thick) == std::vector<std::string>{"plain"});
  read_model.hide("vg0", {});
  CHECK(names_in(read_model, thick) == two);
  read_model.apply(sample_state("vg0", 2, 10, {sample_volume("new", LvRole::kPlain)}));
  CHECK(names_in(read_model, thick) == std::vector<std::string>{"new"});
  read_model.apply(sample_state("vg0", 3, 10));
  CHECK(names_in(read_model, thick).empty());
}

TEST_CASE("a class that gets another pool lists the volumes of that pool", "[server]") {
  ReadModel read_model{{"vg0"}};
  auto volumes = sample_volumes();
  volumes.insert(volumes.begin() + 6, sample_volume("pool1", LvRole::kThinPool));
  read_model.apply(sample_state("vg0", 1, 10, volumes));
  model::DeviceClass thin = sample_catalog().device_classes[1];
  CHECK(names_in(read_model, thin) == std::vector<std::string>{"thin"});
  thin.thin_pool->name = "pool1";
  CHECK(names_in(read_model, thin) == std::vector<std::string>{"other-thin"});
}

TEST_CASE("a list is encoded once for a state", "[server]") {
  ReadModel read_model{{"vg0"}};
  std::vector<model::LogicalVolume> volumes = sample_volumes();
  // Longer than the bytes that gRPC copies into a slice.
  for (char last = 'a'; last <= 'z'; ++last)
    volumes.push_back(sample_volume(std::string{"volume-"} + last, LvRole::kPlain));
  read_model.apply(sample_state("vg0", 1, 10, volumes));
  const model::DeviceClass thick = sample_catalog().device_classes[0];
  const auto list = [&] {
    const auto encoded = list_response(*read_model.view("vg0"), thick);
    REQUIRE(encoded);
    grpc::Slice bytes;
    REQUIRE(encoded->TrySingleSlice(&bytes).ok());
    return bytes;
  };
  // Both exist at the same time: freed memory can have the same address again.
  const grpc::Slice first = list();
  const grpc::Slice second = list();
  CHECK(first.begin() == second.begin());
}

TEST_CASE("the list of a class with a missing pool is unavailable, not empty [P-STATE-2]",
          "[server]") {
  ReadModel read_model{{"vg0"}};
  read_model.apply(sample_state("vg0", 1, 10));
  const auto listed = list_response(*read_model.view("vg0"), sample_catalog().device_classes[1]);
  REQUIRE_FALSE(listed);
  CHECK(listed.error().code == Code::kUnavailable);
  CHECK(listed.error().message.find("pool0") != std::string::npos);
}

TEST_CASE("a Watch message has an item for each usable class, in order [P-WATCH-3]", "[server]") {
  ReadModel read_model{{"vg0", "vg1"}};
  auto volumes = sample_volumes();
  volumes[4].usage = model::PoolUsage{.data_percent = 50, .metadata_percent = 5};
  read_model.apply(sample_state("vg0", 1, 10, volumes));
  const model::ClassCatalog catalog = sample_catalog();
  const std::uint64_t extent = kExtentSize.value;

  const proto::WatchResponse message = watch_message(catalog, read_model);
  CHECK(message.free_bytes() == 10 * extent);
  REQUIRE(message.items_size() == 2);
  CHECK(message.items(0).device_class() == "ssd");
  CHECK(message.items(0).free_bytes() == 10 * extent);
  CHECK(message.items(0).size_bytes() == 100 * extent);
  CHECK_FALSE(message.items(0).has_thin_pool());
  const proto::WatchItem& thin = message.items(1);
  CHECK(thin.device_class() == "thin");
  CHECK(thin.free_bytes() == 10 * extent);  // of the group [P-MSG-38]
  CHECK(thin.thin_pool().size_bytes() == 10 * extent);
  // 2 × 10 − 10 provisioned − 1 spare [P-AVAIL-4].
  CHECK(thin.thin_pool().overprovision_bytes() == 9 * extent);
  CHECK(thin.thin_pool().data_percent() == 50);
  CHECK(thin.thin_pool().metadata_percent() == 5);

  read_model.apply(sample_state("vg1", 1, 3));
  CHECK(watch_message(catalog, read_model).items(2).device_class() == "disks");
}

TEST_CASE("a thin default class sets the message's free_bytes, an unusable one leaves 0 [P-MSG-36]",
          "[server]") {
  model::ClassCatalog catalog = sample_catalog();
  catalog.device_classes[0].is_default = false;
  catalog.device_classes[1].is_default = true;
  ReadModel read_model{{"vg0", "vg1"}};
  read_model.apply(sample_state("vg0", 1, 10, sample_volumes()));
  CHECK(watch_message(catalog, read_model).free_bytes() == 9 * kExtentSize.value);
  read_model.apply(missing_state("vg0", 2));
  const proto::WatchResponse without = watch_message(catalog, read_model);
  CHECK(without.free_bytes() == 0);
  CHECK(without.items_size() == 0);
}
