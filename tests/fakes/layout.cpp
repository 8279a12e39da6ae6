#include "tests/fakes/layout.hpp"

namespace lvmd::fakes {

model::ClassCatalog contract_catalog() {
  using model::Bytes;
  using model::kGiB;
  model::ClassCatalog catalog;
  catalog.device_classes = {
      {.name = "thick",
       .volume_group = "vg_thick",
       .is_default = true,
       .spare = Bytes{kGiB},
       .stripe_size = {},
       .lvcreate_options = {},
       .thin_pool = {}},
      {.name = "thin",
       .volume_group = "vg_thick",
       .spare = Bytes{kGiB},
       .stripe_size = {},
       .lvcreate_options = {},
       .thin_pool = model::ThinPoolTarget{.name = "pool", .overprovision_ratio = 2.0}},
      {.name = "striped",
       .volume_group = "vg_striped",
       .spare = Bytes{0},
       .stripes = 2,
       .stripe_size = {},
       .lvcreate_options = {},
       .thin_pool = {}},
      {.name = "absent",
       .volume_group = "vg_absent",
       .spare = Bytes{0},
       .stripe_size = {},
       .lvcreate_options = {},
       .thin_pool = {}},
      {.name = "poolless",
       .volume_group = "vg_striped",
       .spare = Bytes{0},
       .stripe_size = {},
       .lvcreate_options = {},
       .thin_pool = model::ThinPoolTarget{.name = "no_pool", .overprovision_ratio = 1.0}},
  };
  catalog.option_classes = {{.name = "linear", .options = {"--type=linear"}}};
  return catalog;
}

std::vector<std::unique_ptr<FakeVg>> contract_groups(const model::ClassCatalog& catalog) {
  // In extents of 4 MiB: one PV of 8 GiB with a pool of 2 GiB, and two PVs of 4 GiB.
  FakeGroup thick{"vg_thick", {2047}, catalog};
  thick.make_pool("pool", 512);
  std::vector<std::unique_ptr<FakeVg>> groups;
  groups.push_back(std::make_unique<FakeVg>(std::move(thick)));
  groups.push_back(std::make_unique<FakeVg>(FakeGroup{"vg_striped", {1023, 1023}, catalog}));
  groups.push_back(std::make_unique<FakeVg>("vg_absent"));
  return groups;
}

}  // namespace lvmd::fakes
