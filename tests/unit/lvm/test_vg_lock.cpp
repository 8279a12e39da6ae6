#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "lvmd/lvm/vg_lock.hpp"

namespace {

// A new directory with a lock file and a substitute for /proc/locks.
class LockFiles {
 public:
  LockFiles()
      : directory_(std::filesystem::temp_directory_path() / fmt::format("vg_lock.{}", getpid())) {
    std::filesystem::create_directories(directory_);
    std::ofstream{directory_ / "V_vg0"};
  }
  LockFiles(const LockFiles&) = delete;
  LockFiles& operator=(const LockFiles&) = delete;
  ~LockFiles() { std::filesystem::remove_all(directory_); }

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  [[nodiscard]] std::filesystem::path locks(const std::string& text) const {
    std::ofstream{directory_ / "locks"} << text;
    return directory_ / "locks";
  }
  // The lock is held while the result exists.
  [[nodiscard]] lvmd::UniqueFd locked() const {
    auto taken = lvmd::lvm::take_vg_lock("vg0", directory_);
    REQUIRE((taken && *taken));
    return **std::move(taken);
  }
  [[nodiscard]] std::string inode() const {
    struct stat status{};
    REQUIRE(::stat((directory_ / "V_vg0").c_str(), &status) == 0);
    return fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev),
                       status.st_ino);
  }

 private:
  std::filesystem::path directory_;
};

}  // namespace

TEST_CASE("lock_holder returns the pid and the command of the process that holds a group's lock",
          "[lvm]") {
  const LockFiles files;
  const auto locks = files.locks(fmt::format(
      "1: POSIX  ADVISORY  WRITE 1 {0} 0 EOF\n"
      "2: FLOCK  ADVISORY  WRITE {1} {0} 0 EOF\n2: -> FLOCK  ADVISORY  WRITE 3 {0} 0 EOF\n",
      files.inode(), getpid()));
  const auto lock = files.locked();
  const auto holder = lvmd::lvm::lock_holder("vg0", files.directory(), locks);
  REQUIRE(holder);
  REQUIRE(*holder);
  CHECK((*holder)->pid == getpid());
  CHECK((*holder)->command == "unit-tests");
  CHECK(describe(**holder) == fmt::format("unit-tests (pid {})", getpid()));
}

TEST_CASE("a lock of another file, and a process that waits for the lock, are not its holder",
          "[lvm]") {
  const LockFiles files;
  const auto locks = files.locks(fmt::format(
      "1: FLOCK  ADVISORY  WRITE 1 00:01:1 0 EOF\n1: -> FLOCK  ADVISORY  WRITE 3 {} 0 EOF\n",
      files.inode()));
  const auto lock = files.locked();
  const auto holder = lvmd::lvm::lock_holder("vg0", files.directory(), locks);
  REQUIRE(holder);
  CHECK_FALSE(*holder);
}

TEST_CASE("a lock that no process holds has no holder, and is free afterwards", "[lvm]") {
  const LockFiles files;
  // Not read: the line is about a lock that has been released since.
  const auto locks =
      files.locks(fmt::format("1: FLOCK  ADVISORY  WRITE {} {} 0 EOF\n", getpid(), files.inode()));
  const auto holder = lvmd::lvm::lock_holder("vg0", files.directory(), locks);
  REQUIRE(holder);
  CHECK_FALSE(*holder);
  CHECK(files.locked());
}

TEST_CASE("a group that LVM has never locked has no lock holder", "[lvm]") {
  const LockFiles files;
  const auto holder = lvmd::lvm::lock_holder("vg1", files.directory(), files.locks(""));
  REQUIRE(holder);
  CHECK_FALSE(*holder);
}

TEST_CASE("take_vg_lock takes LVM's lock of a group, which one process holds at a time", "[lvm]") {
  const LockFiles files;
  {
    const auto taken = lvmd::lvm::take_vg_lock("vg0", files.directory());
    REQUIRE(taken);
    REQUIRE(*taken);
    const auto second = lvmd::lvm::take_vg_lock("vg0", files.directory());
    REQUIRE(second);
    CHECK_FALSE(*second);
    CHECK(*lvmd::lvm::take_vg_lock("vg1", files.directory()));
  }
  CHECK(*lvmd::lvm::take_vg_lock("vg0", files.directory()));
}
