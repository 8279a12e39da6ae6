// The host's configuration of LVM, lvm.conf(5), and the settings of lvmd.
#include <catch2/catch.hpp>
#include <string>

#include "tests/contract/scratch.hpp"
#include "tests/system/lvmlocal.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;

namespace {

// The configuration for hosts with the tag "rack".
class TagConfiguration {
 public:
  explicit TagConfiguration(const std::string& content) : tag_{"tags {\\n rack { }\\n}\\n"} {
    must("printf '" + content + "' > /etc/lvm/lvm_rack.conf");
  }
  TagConfiguration(const TagConfiguration&) = delete;
  TagConfiguration& operator=(const TagConfiguration&) = delete;
  ~TagConfiguration() { static_cast<void>(shell("rm -f /etc/lvm/lvm_rack.conf")); }

 private:
  Lvmlocal tag_;
};

// Of a new volume, in sectors, or "auto". The kernel must have what the metadata has.
std::string read_ahead(Scratch& scratch) {
  const std::string name = scratch.name("striped");
  const auto made = scratch.client.create(create_request("striped", name, 8 * kMiB));
  INFO(made.message);
  REQUIRE(made.ok());
  const std::string in_metadata =
      output_of("lvs --noheadings -o lv_read_ahead vg_striped/" + name + " | tr -d ' '");
  if (in_metadata != "auto")
    CHECK(output_of("blockdev --getra /dev/vg_striped/" + name) == in_metadata);
  return in_metadata;
}

}  // namespace

TEST_CASE("a worker starts on a host without lvmlocal.conf [P-RUN-26]", "[system]") {
  Scratch scratch;
  {
    const Lvmlocal restored{""};
    must("rm /etc/lvm/lvmlocal.conf && systemctl restart lvmd.service");
    REQUIRE(eventually([&] {
      return scratch.client.create(create_request("striped", scratch.name("striped"), 8 * kMiB))
          .ok();
    }));
    CHECK(read_ahead(scratch) == "auto");
  }
  CHECK(read_ahead(scratch) == "auto");
}

TEST_CASE("a change follows the host's configuration of LVM, and each change of it [P-RUN-26]",
          "[system]") {
  Scratch scratch;
  REQUIRE(read_ahead(scratch) == "auto");
  SECTION("in lvmlocal.conf") {
    {
      const Lvmlocal none{"activation {\\n readahead = \"none\"\\n}\\n"};
      CHECK(read_ahead(scratch) == "0");
    }
    CHECK(read_ahead(scratch) == "auto");
  }
  SECTION("in the file of a host tag, which LVM reads last") {
    {
      const TagConfiguration none{
          // Of a host with a tag, LVM activates only what is in this list.
          "activation {\\n readahead = \"none\"\\n volume_list = [ \"vg_striped\" ]\\n}\\n"
          "global {\\n wait_for_locks = 1\\n}\\n"};
      CHECK(read_ahead(scratch) == "0");
      CHECK(output_of(
                "LVM_SYSTEM_DIR=/run/lvmd/vg_striped.lvm lvmconfig global/wait_for_locks 2>&-") ==
            "wait_for_locks=0");
    }
    CHECK(read_ahead(scratch) == "auto");
  }
}
