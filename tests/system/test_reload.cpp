// lvmd.yaml is changed while lvmd runs.
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/system/served_group.hpp"
#include "tests/system/shell.hpp"
#include "tests/system/stage.hpp"

using namespace lvmd::contract;
using namespace lvmd::system_tests;
using lvmd::Code;

namespace {

constexpr const char* kConfig = "/etc/topolvm/lvmd.yaml";

// Edits the file with sed; the end of the case brings the old one back, and has it reloaded.
class Edited {
 public:
  Edited() { must("cp /etc/topolvm/lvmd.yaml /run/before-reload.yaml"); }
  Edited(const Edited&) = delete;
  Edited& operator=(const Edited&) = delete;
  ~Edited() {
    // A destructor can't fail the case; the next case would tell.
    static_cast<void>(shell(
        "cp /run/before-reload.yaml /etc/topolvm/lvmd.yaml && systemctl reload lvmd.service"));
  }

  void edit(const std::string& script) { must("sed -i '" + script + "' " + kConfig); }
};

void reload() { must("systemctl reload lvmd.service"); }

}  // namespace

TEST_CASE("a reload is applied without ending streams or processes [P-RELOAD-1]", "[system]") {
  Scratch scratch;
  const auto stream = scratch.client.watch();
  REQUIRE(stream->next(kCallLimit));
  const std::int64_t before = free_bytes(scratch.client, "thick");
  const int server = pid_of("lvmd-server");
  const int worker = pid_of("lvmd-worker vg_thick");
  Edited config;
  config.edit(
      "s/volume-group: vg_thick, default: true, spare-gb: 1}/volume-group: vg_thick, "
      "default: true, spare-gb: 0}/");
  reload();
  CHECK(eventually([&] { return free_bytes(scratch.client, "thick") == before + kGiB; }));
  const auto message = stream->next(kCallLimit);
  REQUIRE(message);
  CHECK(message->free_bytes() == static_cast<std::uint64_t>(before + kGiB));
  // The worker checks by it too: all of it can be had.
  CHECK(scratch.client.create(create_request("thick", scratch.name("thick"), before + kGiB)).ok());
  CHECK(pid_of("lvmd-server") == server);
  CHECK(pid_of("lvmd-worker vg_thick") == worker);
  CHECK(output_of("systemctl show -P ActiveState lvmd.service") == "active");
}

TEST_CASE("a wrong file is refused with its findings, and nothing changes [P-RELOAD-1]",
          "[system]") {
  Scratch scratch;
  const std::int64_t before = free_bytes(scratch.client, "thick");
  const std::string here = journal_cursor();
  {
    Edited config;
    config.edit("s/default: true/default: maybe/; s/spare-gb: 1/spare-gb: 0/");
    const Done refused = shell("systemctl reload lvmd.service");
    CHECK(refused.exit_code != 0);
    CHECK(eventually([&] {
      return journal_since(here).find("the running configuration stays in force") !=
             std::string::npos;
    }));
    CHECK(journal_since(here).find("lvmd.yaml:3: device-classes[0].default: ") !=
          std::string::npos);
    CHECK(eventually([] {
      return output_of("systemctl show -P StatusText lvmd.service")
                 .find("the reload was refused: /etc/topolvm/lvmd.yaml:3: ") != std::string::npos;
    }));
    CHECK(output_of("systemctl show -P ActiveState lvmd.service") == "active");
    CHECK(free_bytes(scratch.client, "thick") == before);
  }
  CHECK(eventually(
      [] { return output_of("systemctl show -P StatusText lvmd.service") == "serving"; }));
}

TEST_CASE("a group comes and goes by reload, with its worker [P-RELOAD-3]", "[system]") {
  Scratch scratch;
  must("vgcreate -q vg_late /dev/disk/by-id/virtio-data2");
  {
    Edited config;
    config.edit("/^device-classes:/a\\  - {name: late, volume-group: vg_late, spare-gb: 0}");
    reload();
    CHECK(eventually([&] { return scratch.client.free_bytes("late").ok(); }));
    CHECK(eventually(
        [&] { return scratch.client.create(create_request("late", "late_one", 8 * kMiB)).ok(); }));
    CHECK(pid_of("lvmd-worker vg_late") != 0);
    CHECK(scratch.client.health("vg/vg_late").response == Health::kServing);
    // A change by hand is seen there as everywhere.
    must("lvcreate -y -q -an -Zn -Wn -n by_hand -L 8M vg_late");
    CHECK(
        eventually([&] { return listed(scratch.client, "late", "by_hand").name() == "by_hand"; }));
  }
  CHECK(eventually([] { return pid_of("lvmd-worker vg_late") == 0; }));
  CHECK(scratch.client.list("late").code == Code::kNotFound);
  CHECK(scratch.client.remove(remove_request("late", "late_one")).code ==
        Code::kFailedPrecondition);
  CHECK(scratch.client.health("vg/vg_late").code == Code::kNotFound);
  must("vgremove -y -q vg_late && pvremove -q /dev/disk/by-id/virtio-data2");
}

TEST_CASE("volumes of a class that is gone show in health [P-RELOAD-2]", "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thin");
  REQUIRE(scratch.client.create(create_request("thin", name, 8 * kMiB)).ok());
  const std::string here = journal_cursor();
  {
    Edited config;
    config.edit("s/name: thin$/name: renamed/");
    reload();
    CHECK(eventually([] {
      return shell("lvmd health")
                 .output.find(
                     "vg/vg_thick: SERVING (volume group vg_thick has "
                     "volumes of classes") != std::string::npos;
    }));
    CHECK(journal_since(here).find("1 of device class thin") != std::string::npos);
    CHECK(scratch.client.list("renamed").ok());
  }
  CHECK(eventually(
      [] { return shell("lvmd health").output.find("device class thin") == std::string::npos; }));
}

TEST_CASE("metrics are served on a loopback port and at a Unix socket [P-METRIC-1]", "[system]") {
  must("cp /etc/topolvm/lvmd.yaml /run/before-metrics.yaml");
  const auto scrape = [](const std::string& address, const std::string& arguments) {
    must(
        "sed /^metrics-address/d /run/before-metrics.yaml > /etc/topolvm/lvmd.yaml && echo "
        "'metrics-address: \"" +
        address + "\"' >> /etc/topolvm/lvmd.yaml && systemctl restart lvmd.service");
    Done done;
    CHECK(eventually([&] {
      done = shell("curl -sS --max-time 10 " + arguments + "/metrics");
      return done.exit_code == 0 &&
             done.output.find("lvmd_volume_group_usable{volume_group=\"vg_thick\"} 1") !=
                 std::string::npos;
    }));
    INFO(done.output);
    CHECK(done.output.find("topolvm_volumegroup_size_bytes") != std::string::npos);
  };
  scrape("127.0.0.1:9099", "http://127.0.0.1:9099");
  scrape("[::1]:9099", "http://[::1]:9099");
  scrape("unix:/run/topolvm/metrics.sock", "--unix-socket /run/topolvm/metrics.sock http://lvmd");
  CHECK(output_of("stat -c '%a %U %G' /run/topolvm/metrics.sock") == "660 root lvmd-ro");
  must("cp /run/before-metrics.yaml /etc/topolvm/lvmd.yaml && systemctl restart lvmd.service");
}

TEST_CASE("thin usage is told when data is written, and nothing is told without [P-WATCH-20]",
          "[system]") {
  Scratch scratch;
  const std::string name = scratch.name("thin");
  const auto made = scratch.client.create(create_request("thin", name, 256 * kMiB));
  REQUIRE(made.ok());
  const auto stream = scratch.client.watch();
  REQUIRE(stream->next(kCallLimit));
  must("dd if=/dev/zero of=/dev/vg_thick/" + name + " bs=1M count=128 oflag=direct status=none");
  // The writing may be seen half done first.
  double percent = 0;
  while (const auto message = stream->next(std::chrono::seconds{12}))
    for (const auto& item : message->items())
      if (item.device_class() == "thin") percent = item.thin_pool().data_percent();
  // 128 MiB of 2 GiB.
  CHECK(percent >= 6.25);
}
