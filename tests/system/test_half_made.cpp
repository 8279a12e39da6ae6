// LVM commits a new thin volume before its pool has it: the message to the pool waits in LVM's
// metadata. Who dies in between leaves a volume that no command can activate. Who dies later,
// before the kernel uses the table, leaves a device that udev never makes a link to.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "tests/contract/scratch.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
namespace fs = std::filesystem;

namespace {

constexpr const char* kRecords = "/var/lib/lvmd/intents/vg_thick/new";

// Takes the volume $1 out of its pool, and puts the message that makes it back into LVM's metadata.
constexpr const char* kHalfMake = R"sh(
set -e
field() { lvs --noheadings -o "$1" "vg_thick/$2" | tr -d ' '; }
thin_id=$(field thin_id "$1")
transaction=$(field transaction_id pool)
lvchange -an "vg_thick/$1"
dmsetup message vg_thick-pool-tpool 0 "delete $thin_id"
dmsetup message vg_thick-pool-tpool 0 "set_transaction_id $transaction $((transaction - 1))"
vgcfgbackup -f /run/half-made vg_thick
sed -i '/^[[:space:]]*pool {/,/type = "thin-pool"/ s/type = "thin-pool"/&\nmessage1 {\ncreate = "'"$1"'"\n}/' \
  /run/half-made
grep -q message1 /run/half-made
vgcfgrestore -y --force -f /run/half-made vg_thick
)sh";

void half_make(const std::string& name) { must("set -- " + name + kHalfMake); }

// The volume $1 as LVM's program leaves it that is killed between its table's load and resume.
constexpr const char* kWithoutTable = R"sh(
set -e
device=vg_thick-$(printf %s "$1" | sed 's/-/--/g')
table=$(dmsetup table "$device")
uuid=$(dmsetup info -c --noheadings -o uuid "$device")
lvchange -an "vg_thick/$1"
dmsetup create --notable -u "$uuid" "$device"
dmsetup load "$device" --table "$table"
)sh";

std::string id_of(const std::string& field, const std::string& name) {
  return output_of("lvs --noheadings -o " + field + " vg_thick/" + name + " | tr -d ' -'");
}

fs::path write_record(const std::string& kind, const std::string& device_class,
                      const std::string& name) {
  fs::path record = fs::path{kRecords} / name;
  std::ofstream{record} << "lvmd.intent.v1\nkind=" << kind << "\nvolume=" << name
                        << "\nvg-id=" << id_of("vg_uuid", name)
                        << "\nseqno=" << id_of("vg_seqno", name)
                        << "\nlv-id=" << id_of("lv_uuid", name) << "\nclass=" << device_class
                        << "\nsize=8388608\nend\n";
  return record;
}

}  // namespace

TEST_CASE("a thin volume that its pool never got is removed, and can be made again [P-INTENT-6]",
          "[system]") {
  const bool is_snapshot = GENERATE(false, true);
  CAPTURE(is_snapshot);
  Scratch scratch;
  const std::string source = scratch.name("thin");
  const std::string name = scratch.name("thin");
  const auto make = [&] {
    Client client{kSocket};
    return is_snapshot ? client.snapshot(snapshot_request("thin", name, source, "rw")).code
                       : client.create(create_request("thin", name, 8 * kMiB)).code;
  };
  REQUIRE(scratch.client.create(create_request("thin", source, 8 * kMiB)).ok());
  REQUIRE(make() == lvmd::Code::kOk);

  must("systemctl stop lvmd.service");
  half_make(name);
  const fs::path record = write_record(is_snapshot ? "snapshot" : "create", "thin", name);
  must("systemctl start lvmd.service");

  CHECK(eventually([&] { return !fs::exists(record); }, kStepLimit));
  CHECK(eventually([&] { return make() == lvmd::Code::kOk; }, kStepLimit));
  CHECK(listed(scratch.client, "thin", name).name() == name);
  CHECK(shell("blkid -p /dev/vg_thick/" + name).exit_code == 2);
  CHECK(output_of("dmsetup status vg_thick-pool-tpool | awk '{print $4}'") ==
        id_of("transaction_id", "pool"));
}

TEST_CASE("a volume whose device never got its table is completed [P-INTENT-1]", "[system]") {
  const std::string device_class = GENERATE("thick", "thin");
  CAPTURE(device_class);
  Scratch scratch;
  const std::string name = scratch.name(device_class);
  REQUIRE(scratch.client.create(create_request(device_class, name, 8 * kMiB)).ok());
  must("systemctl stop lvmd.service");
  must("set -- " + name + kWithoutTable);
  const fs::path record = write_record("create", device_class, name);
  must("systemctl start lvmd.service");

  CHECK(eventually([&] { return !fs::exists(record); }, kStepLimit));
  Client client{kSocket};
  CHECK(listed(client, device_class, name).name() == name);
  CHECK(fs::exists("/dev/vg_thick/" + name));
}
