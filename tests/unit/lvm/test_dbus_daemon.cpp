#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "lvmd/lvm/dbus_daemon.hpp"

TEST_CASE("lvmdbusd can be notified if one folder has the policy for its name [P-RUN-25]",
          "[lvm]") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("dbus_daemon.{}", getpid());
  std::filesystem::create_directories(folder);
  const std::string name = folder;
  const std::array<std::string_view, 2> folders{"/no/such/folder", name};
  CHECK_FALSE(lvmd::lvm::has_dbus_daemon(folders));
  std::ofstream{folder / "com.redhat.lvmdbus1.conf"} << "<busconfig/>";
  CHECK(lvmd::lvm::has_dbus_daemon(folders));
  std::filesystem::remove_all(folder);
}
