#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "lvmd/base/files.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/lvm/system_directory.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using lvmd::lvm::SystemDirectory;

namespace {

namespace fs = std::filesystem;
constexpr const char* kSettings = "global{wait_for_locks=0}";

std::string content_of(const fs::path& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

// A host's folder with a device that LVM reads.
class Host {
 public:
  Host() {
    fs::create_directory(host());
    write("lvm.conf", "config { checks = 1 }\n");
    write_device();
  }

  [[nodiscard]] SystemDirectory create() const {
    auto created = SystemDirectory::create(path(), host());
    REQUIRE(created);
    return std::move(*created);
  }
  // Whether LVM reads its configuration anew in the next command.
  [[nodiscard]] bool update(SystemDirectory& directory, const char* settings = kSettings) const {
    const std::string before = lvmd::stamp_of(local_file());
    REQUIRE(directory.update(settings, std::vector{device()}));
    return lvmd::stamp_of(local_file()) != before;
  }

  void write(const char* name, std::string_view content) const {
    std::ofstream{host() / name} << content;
  }
  void write_device() const { fs::rename(scratch_.write("new", ""), device()); }

  [[nodiscard]] fs::path host() const { return scratch_.file("etc"); }
  [[nodiscard]] fs::path path() const { return scratch_.file("vg0.lvm"); }
  [[nodiscard]] fs::path local_file() const { return path() / "lvmlocal.conf"; }
  [[nodiscard]] std::string device() const { return scratch_.file("sdb"); }

 private:
  lvmd::supervisor::ScratchDirectory scratch_;
};

}  // namespace

TEST_CASE("LVM reads the host's configuration, and settings that override it [P-RUN-26]", "[lvm]") {
  const Host host;
  host.write("lvmlocal.conf", "local { system_id = \"a\" }");
  host.write("lvm_rack.conf", "global { wait_for_locks = 1 }");
  fs::create_directory(host.host() / "devices");
  SystemDirectory directory = host.create();
  REQUIRE(host.update(directory));
  CHECK_THAT(content_of(host.local_file()),
             Catch::StartsWith("local { system_id = \"a\" }\nglobal{wait_for_locks=0}\n"));
  CHECK_THAT(content_of(host.path() / "lvm_rack.conf"),
             Catch::StartsWith("global { wait_for_locks = 1 }\nglobal{wait_for_locks=0}\n"));
  CHECK(fs::read_symlink(host.path() / "lvm.conf") == host.host() / "lvm.conf");
  CHECK(fs::read_symlink(host.path() / "devices") == host.host() / "devices");
}

TEST_CASE("LVM reads its configuration anew only after a change [P-RUN-26]", "[lvm]") {
  const Host host;
  SystemDirectory directory = host.create();
  CHECK(host.update(directory));
  CHECK_FALSE(host.update(directory));
  SECTION("of the settings") {
    CHECK(host.update(directory, "global{wait_for_locks=1}"));
    CHECK_THAT(content_of(host.local_file()), Catch::Contains("wait_for_locks=1"));
    CHECK(host.update(directory));
  }
  SECTION("of the host's local configuration") {
    host.write("lvmlocal.conf", "local { extra_system_ids = [\"b\"] }");
    CHECK(host.update(directory));
    CHECK_THAT(content_of(host.local_file()), Catch::StartsWith("local { extra_system_ids"));
    fs::remove(host.host() / "lvmlocal.conf");
    CHECK(host.update(directory));
    CHECK_THAT(content_of(host.local_file()), !Catch::Contains("extra_system_ids"));
  }
  SECTION("of the configuration for a tag of the host") {
    host.write("lvm_rack.conf", "");
    CHECK(host.update(directory));
    CHECK(fs::exists(host.path() / "lvm_rack.conf"));
    host.write("lvm_rack.conf", "activation { auto_set_activation_skip = 0 }");
    CHECK(host.update(directory));
    fs::remove(host.host() / "lvm_rack.conf");
    CHECK(host.update(directory));
    CHECK_FALSE(fs::exists(host.path() / "lvm_rack.conf"));
  }
  SECTION("of a device") {
    host.write_device();
    CHECK(host.update(directory));
    fs::remove(host.device());
    CHECK(host.update(directory));
  }
  CHECK_FALSE(host.update(directory));
}

TEST_CASE("LVM sees a change of the configuration within a tick of the clock [P-RUN-26]", "[lvm]") {
  const Host host;
  SystemDirectory directory = host.create();
  REQUIRE(host.update(directory, "global{wait_for_locks=0}"));
  const auto before = fs::file_size(host.local_file());
  REQUIRE(host.update(directory, "global{wait_for_locks=1}"));
  CHECK(fs::file_size(host.local_file()) != before);
}

TEST_CASE("LVM makes its list of devices anew after a hundred commands [P-RUN-26]", "[lvm]") {
  const Host host;
  SystemDirectory directory = host.create();
  REQUIRE(host.update(directory));
  unsigned commands = 1;
  while (!host.update(directory)) ++commands;
  CHECK(commands == lvmd::lvm::kCommandsOfOneList);
}

TEST_CASE("without known devices, LVM makes its list of devices anew in each command [P-RUN-26]",
          "[lvm]") {
  const Host host;
  SystemDirectory directory = host.create();
  for (int command = 0; command < 2; ++command) {
    const std::string before = lvmd::stamp_of(host.local_file());
    REQUIRE(directory.update(kSettings, {}));
    CHECK(lvmd::stamp_of(host.local_file()) != before);
  }
}

TEST_CASE("LVM's folders for copies of the metadata are those of the host [P-RUN-24]", "[lvm]") {
  const Host host;
  const SystemDirectory directory = host.create();
  for (const char* const name : {"backup", "archive"}) {
    CHECK(fs::status(host.host() / name).permissions() == fs::perms::owner_all);
    CHECK(fs::read_symlink(directory.path() / name) == host.host() / name);
  }
}

TEST_CASE("on a host without lvmlocal.conf, the first file is not empty", "[lvm]") {
  const Host host;
  static_cast<void>(host.create());
  CHECK_THAT(content_of(host.local_file()), Catch::Contains("{"));
}

TEST_CASE("what another process has left in the folder is gone", "[lvm]") {
  const Host host;
  static_cast<void>(host.create());
  std::ofstream{host.path() / "lvm_old.conf"} << "global { wait_for_locks = 1 }";
  static_cast<void>(host.create());
  CHECK_FALSE(fs::exists(host.path() / "lvm_old.conf"));
}

TEST_CASE("if the folder cannot be written to, the command does not run [P-RUN-26, P-INTENT-5]",
          "[lvm]") {
  const Host host;
  SystemDirectory directory = host.create();
  fs::remove_all(host.path());
  const auto updated = directory.update(kSettings, std::vector{host.device()});
  REQUIRE_FALSE(updated);
  CHECK(updated.error().code == lvmd::Code::kUnavailable);
  CHECK(updated.error().reason == lvmd::reason::kHostDiskUnusable);
  CHECK_THAT(updated.error().message, Catch::Contains(host.path().string()));
}
