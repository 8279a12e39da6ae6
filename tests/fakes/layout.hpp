// The device classes and volume groups of the contract tests (tests/contract/README.md).
#pragma once

#include <memory>
#include <vector>

#include "lvmd/model/device_class.hpp"
#include "tests/fakes/fake_vg.hpp"

namespace lvmd::fakes {

[[nodiscard]] model::ClassCatalog contract_catalog();

// vg_thick with the pool, vg_striped, and vg_absent, which does not exist. `catalog` must outlive
// them.
[[nodiscard]] std::vector<std::unique_ptr<FakeVg>> contract_groups(
    const model::ClassCatalog& catalog);

}  // namespace lvmd::fakes
