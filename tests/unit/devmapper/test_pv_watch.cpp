#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lvmd/devmapper/pv_watch.hpp"

using namespace lvmd;
using namespace lvmd::devmapper;

namespace {

// inotify queues an event before the call that causes it returns, so the tests need not wait.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "pv-watch-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string write(const std::string& name) const {
    const std::string path = (path_ / name).string();
    std::ofstream{path} << "x";
    return path;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("a write to a node is reported once", "[devmapper]") {
  const Folder folder;
  const std::vector<std::string> paths{folder.write("a"), folder.write("b")};
  auto watch = PvWatch::open();
  REQUIRE(watch);
  REQUIRE(watch->watch(paths));
  CHECK(watch->drain()->paths.empty());
  static_cast<void>(folder.write("a"));
  static_cast<void>(folder.write("a"));
  const auto changed = watch->drain();
  REQUIRE(changed);
  CHECK(changed->paths == std::set<std::string>{paths[0]});
  CHECK(changed->gone.empty());
  CHECK(watch->drain()->paths.empty());
}

TEST_CASE("reading a node is not a change", "[devmapper]") {
  const Folder folder;
  const std::vector<std::string> paths{folder.write("a")};
  auto watch = PvWatch::open();
  REQUIRE(watch);
  REQUIRE(watch->watch(paths));
  std::string content;
  std::ifstream{paths[0]} >> content;
  CHECK(watch->drain()->paths.empty());
}

TEST_CASE("a change of the watched paths keeps the common ones", "[devmapper]") {
  const Folder folder;
  const std::string a = folder.write("a");
  const std::string b = folder.write("b");
  const std::string c = folder.write("c");
  auto watch = PvWatch::open();
  REQUIRE(watch);
  REQUIRE(watch->watch(std::vector{a, b}));
  static_cast<void>(folder.write("b"));
  REQUIRE(watch->watch(std::vector{b, c}));
  static_cast<void>(folder.write("a"));
  static_cast<void>(folder.write("c"));
  const auto changed = watch->drain();
  REQUIRE(changed);
  CHECK(changed->paths == std::set<std::string>{b, c});
  CHECK(changed->gone.empty());
}

TEST_CASE("a change of a node is reported for both of its paths", "[devmapper]") {
  const Folder folder;
  const std::string a = folder.write("a");
  const std::string link = a + "-link";
  std::filesystem::create_symlink(a, link);
  auto watch = PvWatch::open();
  REQUIRE(watch);
  REQUIRE(watch->watch(std::vector{a, link}));
  static_cast<void>(folder.write("a"));
  CHECK(watch->drain()->paths == std::set<std::string>{a, link});
  REQUIRE(watch->watch(std::vector{link}));
  static_cast<void>(folder.write("a"));
  CHECK(watch->drain()->paths == std::set<std::string>{link});
}

TEST_CASE("a removed node is reported as gone", "[devmapper]") {
  const Folder folder;
  const std::vector<std::string> paths{folder.write("a"), folder.write("b")};
  auto watch = PvWatch::open();
  REQUIRE(watch);
  REQUIRE(watch->watch(paths));
  std::filesystem::remove(paths[0]);
  const auto changed = watch->drain();
  REQUIRE(changed);
  CHECK(changed->gone == std::set<std::string>{paths[0]});
  static_cast<void>(folder.write("b"));
  CHECK(watch->drain()->paths == std::set<std::string>{paths[1]});
}

TEST_CASE("an error names a path that cannot be watched, the others are watched", "[devmapper]") {
  const Folder folder;
  const std::string a = folder.write("a");
  auto watch = PvWatch::open();
  REQUIRE(watch);
  const auto status = watch->watch(std::vector<std::string>{"/nonexistent/pv", a});
  REQUIRE_FALSE(status);
  CHECK(status.error() ==
        Error{Code::kNotFound, "watch /nonexistent/pv: No such file or directory"});
  static_cast<void>(folder.write("a"));
  CHECK(watch->drain()->paths == std::set<std::string>{a});
}
