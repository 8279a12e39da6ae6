#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "lvmd/mounts/table/file_users.hpp"
#include "tests/unit/mounts/table/scratch_tree.hpp"

using namespace lvmd;
using namespace lvmd::mounts;
namespace fs = std::filesystem;

namespace {

DeviceNumber file_system_of(const fs::path& path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return {.major = major(status.st_dev), .minor = minor(status.st_dev)};
}

// A fake /proc. The file `used` is in the scratch directory; all other links lead into the real
// /proc, which is another file system.
struct FakeProc {
  FakeProc() { used = directory.write("used", "x"); }

  void add(int pid, const std::string& program) const {
    const std::string name = std::to_string(pid);
    static_cast<void>(directory.write("proc/" + name + "/comm", program + "\n"));
    fs::create_directories(directory.path / "proc" / name / "fd");
    for (const char* const link : {"cwd", "root", "exe"}) lead(pid, link, "/proc/self/status");
    lead(pid, "fd/0", "/proc/self/status");
    static_cast<void>(directory.write(
        "proc/" + name + "/maps", "7f0000000000-7f0000001000 r-xp 00000000 00:00 0    [vdso]\n"));
  }
  void lead(int pid, const std::string& link, const fs::path& target) const {
    const fs::path path = directory.path / "proc" / std::to_string(pid) / link;
    fs::remove(path);
    fs::create_symlink(target, path);
  }
  [[nodiscard]] std::vector<Process> users() const {
    const std::array devices{DeviceNumber{0, 0xfffff}, file_system_of(used)};
    const auto found = processes_using(devices, directory.path / "proc");
    REQUIRE(found);
    return *found;
  }

  ScratchTree directory;
  fs::path used;
};

}  // namespace

TEST_CASE("a process is found by any open file [P-MOUNT-11]", "[mount]") {
  const FakeProc proc;
  for (const int pid : {9, 10, 200}) proc.add(pid, "idle");
  const std::string link = GENERATE("cwd", "root", "exe", "fd/0", "fd/255");
  CAPTURE(link);
  proc.add(42, "postgres");
  proc.lead(42, link, proc.used);
  CHECK(proc.users() == std::vector<Process>{{42, "postgres"}});
}

TEST_CASE("a process is found by a mapped file [P-MOUNT-11]", "[mount]") {
  const FakeProc proc;
  proc.add(7, "idle");
  proc.add(8, "java");
  const auto [major, minor] = file_system_of(proc.used);
  static_cast<void>(proc.directory.write(
      "proc/8/maps", fmt::format("7f0000000000-7f0000001000 r--p 00000000 00:00 0\n"
                                 "7f0000001000-7f0000002000 r--s 00001000 {:02x}:{:02x} 131 /x\n",
                                 major, minor)));
  CHECK(proc.users() == std::vector<Process>{{8, "java"}});
}

TEST_CASE("users are sorted by pid, and entries that are not processes are skipped", "[mount]") {
  const FakeProc proc;
  for (const int pid : {300, 20, 3}) {
    proc.add(pid, "p" + std::to_string(pid));
    proc.lead(pid, "cwd", proc.used);
  }
  fs::create_directories(proc.directory.path / "proc/20x");
  fs::create_symlink(proc.used, proc.directory.path / "proc/20x/cwd");
  // A process that ended in the meantime.
  fs::create_directories(proc.directory.path / "proc/21");
  CHECK(proc.users() == std::vector<Process>{{3, "p3"}, {20, "p20"}, {300, "p300"}});
}

TEST_CASE("a missing /proc is an error", "[mount]") {
  const std::array devices{file_system_of(fs::current_path())};
  CHECK_FALSE(processes_using(devices, "/nonexistent"));
  // The real /proc is parsed: this process has its working directory on some file system.
  const auto found = processes_using(devices);
  REQUIRE(found);
  CHECK_FALSE(found->empty());
}

TEST_CASE("a process is found by an open block device, not by a character device [P-CSI-42]",
          "[mount]") {
  const FakeProc proc;
  proc.add(7, "idle");
  proc.add(8, "cat");
  struct stat status{};
  REQUIRE(::stat("/dev/null", &status) == 0);
  proc.lead(8, "fd/3", "/dev/null");
  const DeviceNumber null{.major = major(status.st_rdev), .minor = minor(status.st_rdev)};
  CHECK(processes_with_device(null, proc.directory.path / "proc")->empty());
  CHECK_FALSE(processes_with_device(null, "/nonexistent"));
  for (const fs::directory_entry& entry : fs::directory_iterator{"/dev"}) {
    if (!fs::is_block_file(entry.path()) || fs::is_symlink(entry.path())) continue;
    REQUIRE(::stat(entry.path().c_str(), &status) == 0);
    proc.lead(8, "fd/3", entry.path());
    const auto found =
        processes_with_device({.major = major(status.st_rdev), .minor = minor(status.st_rdev)},
                              proc.directory.path / "proc");
    REQUIRE(found);
    CHECK(*found == std::vector<Process>{{8, "cat"}});
    break;
  }
}
