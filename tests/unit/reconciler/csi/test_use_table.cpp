#include <catch2/catch.hpp>

#include "reconciler/csi/use_table.hpp"

using namespace lvmd::reconciler;

namespace {

using Changes = UseTable::Changes;

VolumeUses uses(std::map<std::string, VolumeUse> volumes) {
  return {.csi_driver = "topolvm.io", .volumes = std::move(volumes)};
}

}  // namespace

TEST_CASE("nothing is known before the first report [R-CSI-2]", "[reconciler][csi]") {
  UseTable table;
  CHECK_FALSE(table.of("one"));
  CHECK_FALSE(table.is_enabled());
  CHECK(table.set({}) == Changes{.are_all = true});
  CHECK(table.of("one") == CsiUse{});
  CHECK_FALSE(table.is_enabled());
}

TEST_CASE("a volume that is not in the report is not in use [R-CSI-2]", "[reconciler][csi]") {
  UseTable table;
  CHECK(table.set(uses({{"one", {.staged = true}}})) == Changes{.are_all = true});
  CHECK(table.is_enabled());
  CHECK(table.of("one") == CsiUse{.is_enabled = true, .volume = {.staged = true}});
  CHECK(table.of("two") == CsiUse{.is_enabled = true});
}

TEST_CASE("the volumes that differ from the report before are named [R-CSI-5]",
          "[reconciler][csi]") {
  UseTable table;
  table.set(uses({{"gone", {.staged = true}}, {"more", {.publications = 1}}, {"same", {}}}));
  CHECK(table.set(uses({{"more", {.publications = 2}}, {"new", {.staged = true}}, {"same", {}}})) ==
        Changes{.volumes = {"gone", "more", "new"}});
  CHECK(table.set(uses({{"more", {.publications = 2}}, {"new", {.staged = true}}, {"same", {}}})) ==
        Changes{});
  CHECK(table.set({}) == Changes{.are_all = true});
}
